/** JSON responses: small ones sent at once, larger ones streamed and counted. */

import { JsonWriter } from "../json/writer.ts";
import type { Work } from "../work.ts";
import type { Load } from "./load.ts";
import { SMALL_BYTES, type Transfer } from "./budget.ts";

/** Bytes that are handed to the runtime at a time. */
const CHUNK_BYTES = 64 * 1024;

const JSON_HEADERS = { "content-type": "application/json" };

const utf8Encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Answers 200 with a JSON text.
 *
 * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it.
 */
export function sendJsonText(text: string, load: Load): Response {
  // A code unit has at most three bytes in UTF-8.
  return 3 * text.length <= SMALL_BYTES
    ? new Response(text, { headers: JSON_HEADERS })
    : new Result(load).send(utf8Encoder.encode(text));
}

/** Options of `sendWritten()`. */
interface WrittenOptions {
  /** Memory of the text from which the result is written, in bytes. */
  readonly sourceBytes: number;
  /** Writes the result, and pauses whenever the writer is full. */
  readonly write: (output: JsonWriter) => Work<void>;
}

/**
 * Answers 200 with a JSON text that is written in slices.
 *
 * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it, 499
 * if the client disconnects; and errors of `write`.
 */
export async function sendWritten(
  load: Load,
  { sourceBytes, write }: WrittenOptions,
): Promise<Response> {
  const result = new Result(load);
  using output = new JsonWriter(sourceBytes);
  try {
    const work = result.reserveAtPauses(write(output), output, sourceBytes);
    const rest = load.scheduler.run(load.request, work);
    // To wait for finished work, too, would let other requests allocate buffers.
    if (rest) await rest;
    if (output.bytes.byteLength > SMALL_BYTES) {
      return result.send(output.take());
    }
    result.abort();
    return new Response(output.bytes, { headers: JSON_HEADERS });
  } catch (error) {
    result.abort();
    throw error;
  }
}

/** A result that is counted while it is written and sent, and streamed as its client reads it. */
class Result implements Transfer, UnderlyingDefaultSource<Bytes> {
  startTime = Infinity;
  movedBytes = 0;
  readonly #load: Load;
  #bytes: Bytes = new Uint8Array();

  constructor(load: Load) {
    this.#load = load;
  }

  /** Does work that writes, and reserves the memory in use at each pause. */
  *reserveAtPauses(
    work: Work<void>,
    output: JsonWriter,
    sourceBytes: number,
  ): Work<void> {
    for (const _pause of work) {
      const { byteLength } = output.bytes.buffer;
      this.#load.budget.reserve(this, sourceBytes + byteLength);
      output.resume();
      yield;
    }
  }

  /**
   * Makes the response, which frees the bytes once they have left.
   *
   * @throws {HttpError} 503 with `Retry-After` if the budget has no room for them.
   */
  send(bytes: Bytes): Response {
    this.#bytes = bytes;
    this.#load.budget.reserve(this, bytes.buffer.byteLength);
    this.startTime = performance.now();
    const abort = () => this.abort();
    this.#load.info?.completed?.then(abort, abort);
    return new Response(new ReadableStream(this, { highWaterMark: 0 }), {
      headers: { ...JSON_HEADERS, "content-length": String(bytes.byteLength) },
    });
  }

  pull(controller: ReadableStreamDefaultController<Bytes>): void {
    const start = this.movedBytes;
    const chunk = this.#bytes.subarray(start, start + CHUNK_BYTES);
    this.movedBytes += chunk.byteLength;
    if (chunk.byteLength > 0) return controller.enqueue(chunk);
    controller.close();
    // Without `completed`, only the end of the stream is known.
    if (this.#load.info?.completed === undefined) this.abort();
  }

  cancel(): void {
    this.abort();
  }

  /**
   * Frees the bytes. A response that is not complete then ends short of its
   * `Content-Length`, which closes the connection.
   */
  abort(): void {
    this.#load.budget.release(this);
    // The garbage collector would free them later; without `completed`, a reader in
    // process may still use them.
    if (this.#load.info?.completed) this.#bytes.buffer.transfer(0);
    this.#bytes = new Uint8Array();
  }
}
