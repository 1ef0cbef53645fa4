/**
 * JSON answers of any size. Small ones go out in one go. Large ones go out piece
 * by piece as the client takes them, and are counted until they are gone:
 * without that, a client that asks and does not read would turn kilobytes into
 * megabytes of memory.
 *
 * @module
 */

import { JsonWriter, PAGE_BYTES } from "../json/writer.ts";
import { HttpError } from "./errors.ts";
import { type Memory, SMALL_BYTES, type Transfer } from "./memory.ts";

/** A longer text is not kept while it departs, but written anew; in bytes. */
export const MAX_KEPT_BYTES = 2 * 1024 * 1024;

/** What a text that is written anew takes: a page that fills, two that depart. */
const PAGES_HELD = 3;

const JSON_HEADERS = { "content-type": "application/json" };

const utf8Encoder = new TextEncoder();

/** Shared by all answers: what is kept of a text is taken out of it. */
const output = new JsonWriter();

/** What an answer needs to depart. */
export interface Delivery {
  readonly memory: Memory;
  /** What the server tells of the answer; `undefined` where nobody does. */
  readonly info?: DeliveryInfo | undefined;
}

/** What `Deno.serve` tells of an answer. */
export interface DeliveryInfo {
  /** Settles when the answer has left, or cannot. */
  readonly completed: Promise<void>;
}

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
  const departure = new Departure(cut(bytes), delivery);
  return departure.answer(bytes.byteLength, bytes.byteLength) ?? refuse();
}

/**
 * Answers 200 with a JSON text that is written piece by piece, at once or, where
 * it is too large to be kept, as the client takes it. A text that is written
 * twice must come out the same.
 *
 * @param sourceBytes What it is written from, in bytes of memory.
 * @throws {HttpError} 503 with `Retry-After` where there is no room for it, and
 * what the function throws that writes it.
 */
export function answerWritten(
  write: Write,
  { sourceBytes, delivery }: {
    readonly sourceBytes: number;
    readonly delivery: Delivery;
  },
): Response {
  const pages: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;
  try {
    for (const _pause of write(output)) {
      byteLength += output.bytes.byteLength;
      if (byteLength <= MAX_KEPT_BYTES) pages.push(output.take());
      else output.clear();
    }
    byteLength += output.bytes.byteLength;
    if (mayGoAtOnce(byteLength, delivery)) {
      return new Response(join(pages, output.bytes), { headers: JSON_HEADERS });
    }
    if (byteLength <= MAX_KEPT_BYTES) {
      pages.push(output.take());
      const departure = new Departure(pages.values(), delivery);
      const response = departure.answer(byteLength, byteLength);
      if (response !== undefined) return response;
    }
  } finally {
    output.clear();
  }
  const departure = new Departure(writePages(write), delivery);
  const heldBytes = sourceBytes + PAGES_HELD * PAGE_BYTES;
  return departure.answer(byteLength, heldBytes) ?? refuse();
}

function mayGoAtOnce(bytes: number, { memory, info }: Delivery): boolean {
  if (bytes <= SMALL_BYTES) return true;
  // It could not be taken back, nor be known to be gone.
  if (info === undefined || !memory.claim(bytes)) return false;
  const release = () => memory.unclaim(bytes);
  info.completed.then(release, release);
  return true;
}

function refuse(): never {
  throw new HttpError(
    503,
    "too many large answers are being sent, please try again",
    { "retry-after": "1" },
  );
}

function join(
  pages: readonly Uint8Array<ArrayBuffer>[],
  last: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  // A response copies what it is given.
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

function* cut(
  bytes: Uint8Array<ArrayBuffer>,
): Generator<Uint8Array<ArrayBuffer>, void> {
  for (let start = 0; start < bytes.byteLength; start += PAGE_BYTES) {
    yield bytes.subarray(start, start + PAGE_BYTES);
  }
}

function* writePages(
  write: Write,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const output = new JsonWriter();
  for (const _pause of write(output)) yield output.take();
  yield output.take();
}

/** An answer that departs piece by piece, each made when it is asked for. */
class Departure
  implements Transfer, UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  readonly startTime = performance.now();
  movedBytes = 0;
  #pieces: Iterator<Uint8Array<ArrayBuffer>, void>;
  readonly #delivery: Delivery;
  #controller: ReadableStreamDefaultController | undefined;

  constructor(
    pieces: Iterator<Uint8Array<ArrayBuffer>, void>,
    delivery: Delivery,
  ) {
    this.#pieces = pieces;
    this.#delivery = delivery;
  }

  /** Makes the answer, or nothing where there is no room for it. */
  answer(byteLength: number, heldBytes: number): Response | undefined {
    const { memory, info } = this.#delivery;
    if (!memory.hold(this, heldBytes)) return undefined;
    const release = () => memory.release(this);
    info?.completed.then(release, release);
    const body = new ReadableStream(this, { highWaterMark: 0 });
    return new Response(body, {
      headers: { ...JSON_HEADERS, "content-length": String(byteLength) },
    });
  }

  start(controller: ReadableStreamDefaultController): void {
    this.#controller = controller;
  }

  pull(controller: ReadableStreamDefaultController): void {
    const { done, value } = this.#pieces.next();
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
    this.#controller!.close();
  }
}
