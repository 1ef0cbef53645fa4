/**
 * Creates responses with JSON texts. All texts above 32 KiB share a limited amount of
 * memory.
 */

import { JsonWriter } from "../json/writer.ts";
import {
  getLarge,
  type RequestScope,
  SMALL_BYTES,
  takeTurn,
} from "../load/load.ts";
import { StreamedResult } from "../load/streamed_result.ts";
import type { Work } from "../work.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/**
 * Number of UTF-16 code units that never take more than 32 KiB in UTF-8, where each takes
 * at most three bytes.
 */
const SURELY_SMALL_LENGTH = SMALL_BYTES / 3;

/** Size of the first part in which a large text is sent, in bytes. */
const FIRST_PART_BYTES = 64 * 1024;
/** Size of each part of a large text after the first, in bytes. */
const PART_BYTES = 256 * 1024;

/** Largest number of bytes that a UTF-16 code unit takes in UTF-8. */
const MAX_UTF8_BYTES = 3;

type Bytes = Uint8Array<ArrayBuffer>;

const utf8Encoder = new TextEncoder();

/**
 * Answers 200 with a JSON text. The text must have no lone surrogates.
 *
 * @throws {HttpError} 503 with `Retry-After` if the request waits too long for memory, or
 * too many requests wait; 499 if the client disconnects while the request waits.
 */
export function sendJsonText(
  text: string,
  scope: RequestScope,
): Response | Promise<Response> {
  if (text.length <= SURELY_SMALL_LENGTH) {
    return new Response(text, { headers: JSON_HEADERS });
  }
  return sendWhole(text, scope) ?? sendInParts(text, scope);
}

/**
 * Answers with a text in one piece, which takes less time than a stream. Such a response
 * cannot be aborted if the client reads slowly, so the memory for all such responses
 * together is limited. Returns `undefined` if that memory is used up, if other requests
 * wait for memory, or if the server does not tell when a response has been sent.
 */
function sendWhole(text: string, scope: RequestScope): Response | undefined {
  const { results, quickResults } = scope.load;
  const completed = scope.info?.completed;
  const large = getLarge(scope);
  if (
    completed === undefined || results.waiting > 0 ||
    !quickResults.tryReserve(large, text.length)
  ) return undefined;
  const release = () => quickResults.release(large);
  completed.then(release, release);
  return new Response(text, { headers: JSON_HEADERS });
}

function sendInParts(
  text: string,
  scope: RequestScope,
): Response | Promise<Response> {
  const parts = encodeInParts(text);
  const byteLength = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (byteLength > SMALL_BYTES) return sendParts(parts, byteLength, scope);
  return new Response(text, { headers: JSON_HEADERS });
}

/**
 * Encodes a text as UTF-8, divided into parts. The runtime gets them one at a time, so that
 * it holds only one part for a client that does not read.
 */
function encodeInParts(text: string): Bytes[] {
  const parts: Bytes[] = [];
  for (let start = 0; start < text.length;) {
    const size = parts.length === 0 ? FIRST_PART_BYTES : PART_BYTES;
    const rest = text.slice(start);
    const part = new Uint8Array(
      Math.min(size, rest.length + MAX_UTF8_BYTES + 1),
    );
    const { read, written } = utf8Encoder.encodeInto(rest, part);
    parts.push(part.subarray(0, written));
    start += read;
  }
  return parts;
}

async function sendParts(
  parts: Bytes[],
  byteLength: number,
  scope: RequestScope,
): Promise<Response> {
  const result = new StreamedResult(scope);
  await result.reserve(byteLength);
  return stream(result, parts, byteLength);
}

function stream(
  result: StreamedResult,
  parts: Bytes[],
  byteLength: number,
): Response {
  return new Response(result.stream(parts), {
    headers: { ...JSON_HEADERS, "content-length": String(byteLength) },
  });
}

/**
 * Answers 200 with a JSON text that a generator writes. The generator first runs at once
 * until it pauses. If it has more to write, the request waits until no other request writes
 * a text. Then the generator continues in time slices, between which other requests are
 * answered.
 *
 * @param write Creates the generator, which must pause whenever the writer is full.
 * @throws {HttpError} 503 with `Retry-After` if the request waits too long, or too many
 * requests wait; 499 if the client disconnects while the request waits; and the errors that
 * the generator throws.
 */
export async function sendWritten(
  scope: RequestScope,
  write: (output: JsonWriter) => Work<void>,
): Promise<Response> {
  using output = new JsonWriter();
  const work = write(output);
  // The generator has finished. A short text is sent without an `await`: during an `await`,
  // this writer would keep its buffer, and other requests would have to allocate new ones.
  if (work.next().done) {
    const { byteLength, lastPage } = output;
    if (byteLength > SMALL_BYTES) return await sendPages(scope, output);
    // The last buffer has the whole text: a buffer holds 64 KiB.
    return new Response(lastPage, { headers: JSON_HEADERS });
  }
  const isOwner = scope.large === undefined;
  const large = getLarge(scope);
  const { work: turns, quick } = scope.load;
  const hasLargeBody = turns.has(large) || quick.has(large);
  if (!hasLargeBody && !turns.tryReserve(large, SMALL_BYTES)) {
    work.return();
    // Without `await`, so that the buffer is freed before the wait, not after it.
    return writeInTurn(scope, write, isOwner);
  }
  try {
    return await sendPages(scope, output, work);
  } finally {
    if (isOwner) turns.release(large);
  }
}

/**
 * Waits for the turn of a request with a small body, then answers with a text that a
 * generator writes. Many such requests may wait, so none has a buffer while it waits.
 *
 * @param isOwner Whether the turn ends with this function. The turn of a tool call ends
 * later, in `endTurn()`.
 */
async function writeInTurn(
  scope: RequestScope,
  write: (output: JsonWriter) => Work<void>,
  isOwner: boolean,
): Promise<Response> {
  await takeTurn(scope, SMALL_BYTES);
  using output = new JsonWriter();
  try {
    return await sendPages(scope, output, write(output));
  } finally {
    if (isOwner) scope.load.work.release(getLarge(scope));
  }
}

/**
 * Answers with the text in the buffers of a writer. If the text is not complete yet, `work`
 * first writes the rest, when the request has its turn.
 */
async function sendPages(
  scope: RequestScope,
  output: JsonWriter,
  work?: Work<void>,
): Promise<Response> {
  const { writers, scheduler } = scope.load;
  const result = new StreamedResult(scope);
  try {
    if (work !== undefined) {
      await takeTurn(scope, SMALL_BYTES);
      await writers.reserve(result.large, 1);
      const part = () => writeUntilBlocked(work, output, result);
      while (!await scheduler.runInSlices(result.large, part())) {
        await result.reserve(output.capacity);
      }
    }
    const { byteLength } = output;
    await result.reserve(byteLength);
    return stream(result, output.take(), byteLength);
  } catch (error) {
    result.abort();
    throw error;
  } finally {
    // Frees the text that a request keeps if it leaves a queue.
    work?.return();
    writers.release(result.large);
  }
}

/**
 * Runs `work`, which writes a result, until it ends or there is no memory for the result.
 * Returns whether `work` has ended.
 */
function* writeUntilBlocked(
  work: Work<void>,
  output: JsonWriter,
  result: StreamedResult,
): Work<boolean> {
  do {
    if (!result.tryReserve(output.capacity)) return false;
    output.resume();
    yield;
  } while (!work.next().done);
  return true;
}
