/**
 * JSON answers of any size. Small ones go out in one go. Large ones go out piece
 * by piece as the client takes them, and are counted until they are gone:
 * without that, a client that asks and does not read would turn kilobytes into
 * megabytes of memory.
 *
 * @module
 */

import { JsonWriter, PAGE_BYTES, recycle } from "../json/writer.ts";
import { HttpError } from "./errors.ts";
import {
  MAX_AT_ONCE_BYTES,
  type Memory,
  SMALL_BYTES,
  type Transfer,
} from "./memory.ts";
import { assertPresent, TURN_MS, type Turns } from "./turns.ts";

/** A longer text is not kept while it departs, but written anew; in bytes. */
export const MAX_KEPT_BYTES = 2 * 1024 * 1024;

/** Nor is a text that has grown so much from its source. */
const MAX_KEPT_GROWTH = 4;

/**
 * What such a text takes besides its source: pages that fill, pages on their way
 * out, and those that are gone but not yet collected. Measured.
 */
const UNKEPT_BYTES = 1024 * 1024;

const JSON_HEADERS = { "content-type": "application/json" };

const utf8Encoder = new TextEncoder();

/** What an answer needs to depart. */
export interface Delivery {
  readonly memory: Memory;
  readonly turns: Turns;
  /** What is answered; `undefined` where no client waits for it. */
  readonly request?: Request | undefined;
  /** What the server tells of the answer; `undefined` where nobody does. */
  readonly info?: DeliveryInfo | undefined;
}

/** What `Deno.serve` tells of an answer. */
export interface DeliveryInfo {
  /** Settles when the answer has left, or cannot. */
  readonly completed: Promise<void>;
}

type Page = Uint8Array<ArrayBuffer>;

/** What an answer is made of, some of it not before it is asked for. */
type Pieces = Iterator<Page, void> | AsyncIterator<Page, void>;

/** Writes a JSON text, and pauses whenever the writer has a full page. */
export type Write = (output: JsonWriter) => Iterable<void>;

/**
 * Answers 200 with a value as JSON.
 *
 * @throws {HttpError} 503 with `Retry-After` where there is no room for it.
 */
export function answerJson(value: unknown, delivery: Delivery): Response {
  return answerJsonText(JSON.stringify(value), delivery);
}

/**
 * Answers 200 with a JSON text.
 *
 * @throws {HttpError} 503 with `Retry-After` where there is no room for it.
 */
export function answerJsonText(text: string, delivery: Delivery): Response {
  // In code units, some of which are two or three bytes: near enough for these.
  if (mayGoAtOnce(text.length, delivery)) {
    return new Response(text, { headers: JSON_HEADERS });
  }
  const bytes = utf8Encoder.encode(text);
  const departure = new Departure(delivery);
  if (!delivery.memory.hold(departure, bytes.byteLength)) throw tooBusy();
  return departure.answer(cut(bytes), bytes.byteLength);
}

/**
 * Answers 200 with a JSON text that is written page by page, at once or, where
 * it is too large to be kept, as the client takes it: such a text is written
 * twice, and must come out the same. A long one is written in turns.
 *
 * @param sourceBytes What it is written from, in bytes of memory.
 * @throws {HttpError} 503 with `Retry-After` where there is no room for it, and
 * what the function throws that writes it; 499 where the client has gone.
 */
export async function answerWritten(
  write: Write,
  { sourceBytes, delivery }: {
    readonly sourceBytes: number;
    readonly delivery: Delivery;
  },
): Promise<Response> {
  const { memory, turns, request } = delivery;
  const departure = new Departure(delivery);
  const unkeptBytes = sourceBytes + UNKEPT_BYTES;
  const maxKeptBytes = Math.min(MAX_KEPT_BYTES, MAX_KEPT_GROWTH * sourceBytes);
  using output = new JsonWriter();
  const pages: Page[] = [];
  let byteLength = 0;
  let isKept = true;
  let turnEnd = -Infinity;
  try {
    for (const _pause of write(output)) {
      if (request !== undefined) assertPresent(request);
      byteLength += output.bytes.byteLength;
      // What may yet go at once takes no time worth a turn.
      if (byteLength <= MAX_AT_ONCE_BYTES) {
        pages.push(output.take());
        continue;
      }
      isKept &&= byteLength <= maxKeptBytes &&
        memory.hold(departure, sourceBytes + byteLength);
      if (isKept) pages.push(output.take());
      else {
        if (!memory.hold(departure, unkeptBytes)) throw tooBusy();
        recycle(pages.splice(0));
        output.clear();
      }
      if (performance.now() < turnEnd) continue;
      await turns.take();
      turnEnd = performance.now() + TURN_MS;
    }
    byteLength += output.bytes.byteLength;
    if (mayGoAtOnce(byteLength, delivery)) {
      return new Response(join(pages, output.bytes), { headers: JSON_HEADERS });
    }
    isKept &&= byteLength <= maxKeptBytes;
    if (isKept && memory.hold(departure, byteLength)) {
      pages.push(output.take());
      return departure.answer(pages.values(), byteLength);
    }
    if (!memory.hold(departure, unkeptBytes)) throw tooBusy();
    return departure.answer(writePages(write, turns), byteLength);
  } catch (error) {
    memory.release(departure);
    throw error;
  }
}

function mayGoAtOnce(bytes: number, { memory, info }: Delivery): boolean {
  if (bytes <= SMALL_BYTES) return true;
  // It could not be taken back, nor be known to be gone.
  if (info === undefined || !memory.claim(bytes)) return false;
  const release = () => memory.unclaim(bytes);
  info.completed.then(release, release);
  return true;
}

function tooBusy(): HttpError {
  return new HttpError(
    503,
    "too many large answers are being sent, please try again",
    { "retry-after": "1" },
  );
}

/** Joins pages, or hands out the only one, which changes with the next text. */
function join(pages: readonly Page[], last: Page): Page {
  if (pages.length === 0) return last;
  const parts = [...pages, last];
  const lengths = parts.map(({ byteLength }) => byteLength);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.byteLength;
  }
  return joined;
}

function* cut(bytes: Page): Generator<Page, void> {
  for (let start = 0; start < bytes.byteLength; start += PAGE_BYTES) {
    yield bytes.subarray(start, start + PAGE_BYTES);
  }
}

async function* writePages(
  write: Write,
  turns: Turns,
): AsyncGenerator<Page, void> {
  const output = new JsonWriter();
  await turns.take();
  for (const _pause of write(output)) {
    yield output.take();
    await turns.take();
  }
  yield output.take();
}

/** An answer that departs piece by piece, each made when it is asked for. */
class Departure implements Transfer, UnderlyingDefaultSource<Page> {
  /** Not before it departs can it be too slow. */
  startTime = Infinity;
  movedBytes = 0;
  #pieces: Pieces = [].values();
  readonly #delivery: Delivery;

  constructor(delivery: Delivery) {
    this.#delivery = delivery;
  }

  /** Makes the answer of its pieces, of so many bytes in all. */
  answer(pieces: Pieces, byteLength: number): Response {
    this.startTime = performance.now();
    this.#pieces = pieces;
    const { memory, info } = this.#delivery;
    const release = () => memory.release(this);
    info?.completed.then(release, release);
    const body = new ReadableStream(this, { highWaterMark: 0 });
    return new Response(body, {
      headers: { ...JSON_HEADERS, "content-length": String(byteLength) },
    });
  }

  async pull(controller: ReadableStreamDefaultController): Promise<void> {
    const { startTime } = this;
    const askTime = performance.now();
    // A client that waits for a piece is not slow.
    this.startTime = Infinity;
    const { done, value } = await this.#pieces.next();
    this.startTime = startTime + performance.now() - askTime;
    if (!done) {
      this.movedBytes += value.byteLength;
      return controller.enqueue(value);
    }
    controller.close();
    // Where nobody tells when it is gone, it is when nothing more is asked for.
    if (this.#delivery.info === undefined) this.cancel();
  }

  /** The client has gone, or has everything. */
  cancel(): void {
    this.#delivery.memory.release(this);
  }

  /** Ends the answer; short of its `Content-Length` that closes the connection. */
  giveUp(): void {
    this.#pieces = [].values();
  }
}
