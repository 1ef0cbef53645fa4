import type { Bytes } from "../buffer.ts";
import { findUtf8Error } from "../utf8.ts";
import { createTextError, JsonSizeError, JsonTextError } from "./error.ts";
import {
  type OutputOptions,
  runSteps,
  Scan,
  type Steps,
  terminate,
  type TerminatedBytes,
} from "./scan.ts";

const utf8Encoder = new TextEncoder();

/**
 * Formats or minifies JSON, which is a string or UTF-8, and returns UTF-8.
 *
 * @throws {JsonTextError} if the text isn't JSON.
 * @throws {JsonSizeError} if the result would be larger than `maxBytes`.
 */
export function* rewriteJson(
  text: string | Bytes,
  options: OutputOptions,
): Steps<Bytes> {
  const scan = new Scan(encodeDocument(text), options);
  yield* scan.skipDocument();
  const { byteLength, output } = scan;
  const { maxBytes } = options;
  if (byteLength > maxBytes) throw new JsonSizeError(byteLength, maxBytes);
  return output;
}

/** @throws {JsonTextError} if the text isn't JSON. */
export function* checkJson(text: string | Bytes): Steps<void> {
  yield* new Scan(encodeDocument(text)).skipDocument();
}

/** @throws {JsonTextError} if the string contains a lone surrogate, which UTF-8 cannot encode. */
function encodeDocument(text: string | Bytes): TerminatedBytes {
  if (typeof text !== "string") return terminate(text);
  const error = findUtf8Error(text);
  if (error === undefined) return utf8Encoder.encode(`${text}\0`);
  const { offset } = error;
  try {
    runSteps(checkJson(text.slice(0, offset)));
  } catch (earlier) {
    if (!(earlier instanceof JsonTextError)) throw earlier;
    if (earlier.offset < offset) throw earlier;
  }
  throw createTextError(text, offset, "well-formed Unicode");
}
