/** JSON responses: small ones sent at once, larger ones streamed and counted. */

import { JsonWriter } from "../json/writer.ts";
import type { Work } from "../work.ts";
import type { Load } from "./body.ts";
import { SMALL_BYTES, type Transfer } from "./budget.ts";

/** Bytes that are handed to the runtime at a time. */
const CHUNK_BYTES = 64 * 1024;

const JSON_HEADERS = { "content-type": "application/json" };

const utf8Encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

/** Answers 200 with a value as JSON, see `sendJsonText()`. */
export function sendJson(value: unknown, load: Load): Response {
  return sendJsonText(JSON.stringify(value), load);
}

/**
 * Answers 200 with a JSON text.
 *
 * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it.
 */
export function sendJsonText(text: string, load: Load): Response {
  // A code unit has at most three bytes in UTF-8.
  if (3 * text.length <= SMALL_BYTES) {
    return new Response(text, { headers: JSON_HEADERS });
  }
  const response = new StreamedResponse(load);
  response.add(utf8Encoder.encode(text));
  return response.send();
}

/**
 * Answers 200 with a JSON text that is written in slices: the function that writes
 * it pauses whenever the writer is full.
 *
 * @param options.sourceBytes Memory of the text from which it is written, in bytes.
 * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it, 499
 * if the client disconnects; and errors of the function.
 */
export async function sendWritten(
  write: (output: JsonWriter) => Work<void>,
  { sourceBytes, load }: { readonly sourceBytes: number; readonly load: Load },
): Promise<Response> {
  const response = new StreamedResponse(load);
  using output = new JsonWriter();
  function* writeChunks(): Work<void> {
    for (const _pause of write(output)) {
      if (output.isFull) response.add(output.take(), sourceBytes);
      yield;
    }
  }
  try {
    await load.scheduler.run(load.request, writeChunks());
    response.add(output.bytes);
    return response.send();
  } catch (error) {
    response.release();
    throw error;
  }
}

/** A response that is kept in chunks, and streamed as its client reads it. */
class StreamedResponse implements Transfer, UnderlyingDefaultSource<Bytes> {
  startTime = Infinity;
  movedBytes = 0;
  readonly #load: Load;
  #chunks: Bytes[] = [];
  #byteLength = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  /**
   * Adds bytes to the end. The last ones may change once the response is sent.
   *
   * @param otherBytes Memory needed besides until the next call, in bytes.
   * @throws {HttpError} 503 if the budget has no room for them.
   */
  add(bytes: Bytes, otherBytes = 0): void {
    this.#byteLength += bytes.byteLength;
    this.#chunks.push(bytes);
    if (this.#byteLength <= SMALL_BYTES) return;
    this.#load.budget.reserve(this, this.#byteLength + otherBytes);
  }

  /** Makes the response, to which no more bytes can be added. */
  send(): Response {
    const last = this.#chunks.pop()!;
    if (this.#byteLength <= SMALL_BYTES) {
      return new Response(last, { headers: JSON_HEADERS });
    }
    this.#chunks.push(last.slice());
    this.startTime = performance.now();
    const release = () => this.release();
    this.#load.info?.completed?.then(release, release);
    return new Response(new ReadableStream(this, { highWaterMark: 0 }), {
      headers: { ...JSON_HEADERS, "content-length": String(this.#byteLength) },
    });
  }

  pull(controller: ReadableStreamDefaultController<Bytes>): void {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) {
      controller.close();
      // Without `completed`, only the end of the stream is known.
      if (this.#load.info?.completed === undefined) this.release();
      return;
    }
    const rest = chunk.subarray(CHUNK_BYTES);
    if (rest.byteLength > 0) this.#chunks.unshift(rest);
    this.movedBytes += chunk.byteLength - rest.byteLength;
    controller.enqueue(chunk.subarray(0, CHUNK_BYTES));
  }

  cancel(): void {
    this.release();
  }

  /** Ends the response short of its `Content-Length`, which closes the connection. */
  abort(): void {
    this.#chunks = [];
  }

  release(): void {
    this.#load.budget.release(this);
  }
}
