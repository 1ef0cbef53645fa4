/**
 * JSON answers of any size. Small ones go out at once. Large ones are counted
 * until the client has taken them, piece by piece: without that, a client that
 * asks and does not read would turn kilobytes into megabytes of memory.
 *
 * @module
 */

import { HttpError } from "./errors.ts";

/** Longest answer that goes out at once, in bytes, or in a text's code units. */
const MAX_SMALL_LENGTH = 128 * 1024;

/** How much of a large answer goes out at a time, in bytes. */
const PIECE_BYTES = 256 * 1024;

/** While large answers have more left to take, requests wait. In bytes. */
const MAX_UNTAKEN_BYTES = 16 * 1024 * 1024;

/** A client that takes no piece for so long is cut off, in milliseconds. */
const STALL_MS = 10_000;

/** The same while requests wait. */
const STALL_WHILE_WAITING_MS = 1_000;

/** How long a request waits at most, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** How often stalled clients and waiting requests are looked at. */
const SWEEP_MS = 500;

/** The large answers on their way, the one longest without progress first. */
const answers = new Set<LargeAnswer>();
let untakenBytes = 0;
let sweeper: ReturnType<typeof setInterval> | undefined;

/** The requests that wait for room, first come first. */
const waiting: WaitingRequest[] = [];

interface WaitingRequest {
  readonly since: number;
  proceed(): void;
  refuse(error: HttpError): void;
}

const JSON_HEADERS = { "content-type": "application/json" };

const utf8Encoder = new TextEncoder();

/** Answers 200 with a value as JSON. */
export function answerJson(value: unknown): Response {
  const text = JSON.stringify(value);
  return text.length <= MAX_SMALL_LENGTH
    ? new Response(text, { headers: JSON_HEADERS })
    : answerJsonBytes(utf8Encoder.encode(text));
}

/** Answers 200 with a copy of the UTF-8 bytes of a JSON text. */
export function answerJsonBytes(bytes: Uint8Array<ArrayBuffer>): Response {
  if (bytes.byteLength <= MAX_SMALL_LENGTH) {
    return new Response(bytes, { headers: JSON_HEADERS });
  }
  const answer = new LargeAnswer(bytes.slice());
  const body = new ReadableStream(answer, { highWaterMark: 0 });
  return new Response(body, {
    headers: { ...JSON_HEADERS, "content-length": String(bytes.byteLength) },
  });
}

/** Whether there is room for one more large answer. */
export function hasRoom(): boolean {
  return untakenBytes < MAX_UNTAKEN_BYTES;
}

/**
 * Waits until there is room for one more large answer. To be called before the
 * work that may make one.
 *
 * @throws {HttpError} 503 with `Retry-After` when none comes free in time.
 */
export async function waitForRoom(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  waiting.push({ since: performance.now(), proceed: resolve, refuse: reject });
  await promise;
}

/** An answer's bytes, handed out as the client takes them. */
class LargeAnswer implements UnderlyingDefaultSource<Uint8Array> {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #lastTaken = performance.now();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    untakenBytes += bytes.byteLength;
    answers.add(this);
    sweeper ??= setInterval(sweep, SWEEP_MS);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const end = this.#offset + PIECE_BYTES;
    controller.enqueue(this.#bytes.subarray(this.#offset, end));
    this.#offset = end;
    this.#lastTaken = performance.now();
    // Back to the end of the line.
    answers.delete(this);
    answers.add(this);
    if (end >= this.#bytes.byteLength) this.end();
  }

  /** The client has gone. */
  cancel(): void {
    this.#release();
  }

  hasStalled(milliseconds: number): boolean {
    return performance.now() - this.#lastTaken > milliseconds;
  }

  /** Ends the answer; short of its `Content-Length` that closes the connection. */
  end(): void {
    this.#controller?.close();
    this.#release();
  }

  #release(): void {
    untakenBytes -= this.#bytes.byteLength;
    answers.delete(this);
    proceedOne();
    if (answers.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }
}

/** Lets the first waiting request proceed, and, if room is left, the next. */
function proceedOne(): void {
  if (!hasRoom()) return;
  waiting.shift()?.proceed();
  // What it makes is counted before the next one is looked at.
  if (waiting.length > 0) setTimeout(proceedOne);
}

function sweep(): void {
  const limit = waiting.length > 0 ? STALL_WHILE_WAITING_MS : STALL_MS;
  for (const answer of answers) {
    if (!answer.hasStalled(limit)) break;
    answer.end();
  }
  const now = performance.now();
  while (waiting.length > 0 && now - waiting[0]!.since > MAX_WAIT_MS) {
    waiting.shift()!.refuse(
      new HttpError(
        503,
        "too many large answers are being sent, please try again",
        { "retry-after": "1" },
      ),
    );
  }
}
