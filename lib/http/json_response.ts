/** JSON responses: small ones are sent at once, larger ones streamed and counted. */

import { HttpError } from "../http_error.ts";
import { resize, terminate } from "../json/utf8.ts";
import { JsonWriter } from "../json/writer.ts";
import { SMALL_BYTES } from "../load/budget.ts";
import type { Load } from "../load/load.ts";
import { Result } from "../load/result.ts";
import type { Work } from "../work.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/**
 * Most memory of a text that is counted beside that of its result, as a share of the
 * largest body. A thread has twice the largest body; the rest is for the result, which
 * may be as large as the text, and for the free ends of its pages.
 */
const MAX_SOURCE_SHARE = 0.98;

/** Length of the text that is written at a time, in UTF-16 code units or bytes. */
const PART_LENGTH = 16 * 1024;

/** Whether a JSON text is sent at once. */
export function isSmall(text: string): boolean {
  // A code unit has at most three bytes in UTF-8.
  return 3 * text.length <= SMALL_BYTES;
}

/**
 * Answers 200 with a JSON text.
 *
 * @throws {HttpError} in the cases of `sendWritten()`.
 */
export function sendJsonText(
  text: string,
  load: Load,
): Response | Promise<Response> {
  if (isSmall(text)) return new Response(text, { headers: JSON_HEADERS });
  return sendWritten(load, {
    sourceBytes: 0,
    write: (output) => writeText(text, output),
  });
}

/** Writes a text without lone surrogates, not escaped. */
export function* writeText(text: string, output: JsonWriter): Work<void> {
  let start = 0;
  while (start < text.length) {
    let end = start + PART_LENGTH;
    // A surrogate pair must not be divided.
    if (text.codePointAt(end - 1)! > 0xffff) end += 1;
    output.write(text.slice(start, end));
    start = end;
    if (output.isFull) yield;
  }
}

/**
 * Writes UTF-8 bytes, escaped, and frees them. A string of them would take memory for
 * longer.
 *
 * @throws {HttpError} 400 with the given message if the bytes are not UTF-8.
 */
export function* writeUtf8(
  bytes: Uint8Array<ArrayBuffer>,
  output: JsonWriter,
  message: string,
): Work<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const { byteLength } = bytes;
  const text = terminate(bytes);
  resize(bytes.buffer, 0);
  try {
    for (let start = 0; start < byteLength; start += PART_LENGTH) {
      const end = Math.min(start + PART_LENGTH, byteLength);
      const isLast = end === byteLength;
      if (!isUtf8(decoder, text.subarray(start, end), isLast)) {
        throw new HttpError(400, message);
      }
      output.writeEscaped(text, start, end);
      if (output.isFull) yield;
    }
  } finally {
    resize(text.buffer, 0);
  }
}

/** Whether a part continues the UTF-8 text that the decoder has read. */
function isUtf8(
  decoder: TextDecoder,
  part: Uint8Array,
  isLast: boolean,
): boolean {
  try {
    decoder.decode(part, { stream: !isLast });
    return true;
  } catch {
    return false;
  }
}

/** Returns how many bytes of the memory of a text are counted while its result is made. */
export function countSource(bytes: number, { maxBodyBytes }: Load): number {
  return Math.min(bytes, MAX_SOURCE_SHARE * maxBodyBytes);
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
  using output = new JsonWriter();
  try {
    const work = reserveAtPauses(write(output), () => {
      load.budget.reserve(result, sourceBytes + output.capacity);
      output.resume();
    });
    const rest = load.scheduler.run(load.request, work);
    // Finished work is not awaited: meanwhile other requests would allocate buffers.
    if (rest) await rest;
    const { byteLength } = output;
    if (byteLength > SMALL_BYTES) {
      return new Response(result.stream(output.take(), byteLength), {
        headers: { ...JSON_HEADERS, "content-length": String(byteLength) },
      });
    }
    result.abort();
    // Up to 32 KiB are on one page.
    return new Response(output.lastPage, { headers: JSON_HEADERS });
  } catch (error) {
    result.abort();
    throw error;
  }
}

/** Does work, and reserves its memory at each pause. */
function* reserveAtPauses(work: Work<void>, reserve: () => void): Work<void> {
  for (const _pause of work) {
    reserve();
    yield;
  }
}
