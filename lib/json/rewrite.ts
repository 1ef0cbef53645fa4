import type { Bytes } from "../buffer.ts";
import { findUtf8Error } from "../utf8.ts";
import { createTextError, JsonSizeError, JsonTextError } from "./error.ts";
import { Scan, terminate, type TerminatedBytes } from "./scan.ts";

/** Largest document, in bytes, whose output buffer is allocated without measuring the result. */
const MAX_UNMEASURED_BYTES = 1024 * 1024;

/** Size of that buffer, in bytes per byte of the document. Most results need less. */
const OUTPUT_FACTOR = 3;

const utf8Encoder = new TextEncoder();

interface RewriteOptions {
  /** Spaces per nesting level. 0 minifies. */
  readonly indent: number;
  /** Maximum size of the result before escaping, in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Whether to escape the result so that it can be embedded in a JSON string. */
  readonly escapes?: boolean;
}

/**
 * Formats or minifies JSON, which is a string or UTF-8, and returns UTF-8.
 *
 * @throws {JsonTextError} if the text isn't JSON.
 * @throws {JsonSizeError} if the result would be larger than `maxBytes`.
 */
export function rewriteJson(
  text: string | Bytes,
  { indent, maxBytes, escapes = false }: RewriteOptions,
): Bytes {
  const document = encodeDocument(text);
  let bytes = new Uint8Array(
    document.length <= MAX_UNMEASURED_BYTES
      ? OUTPUT_FACTOR * document.length
      : 0,
  );
  for (;;) {
    const scan = new Scan(document, { bytes, indent, escapes });
    scan.skipDocument();
    const { byteLength, outputLength } = scan;
    if (byteLength > maxBytes) throw new JsonSizeError(byteLength, maxBytes);
    if (outputLength <= bytes.length) return bytes.subarray(0, outputLength);
    bytes = new Uint8Array(outputLength);
  }
}

/** @throws {JsonTextError} if the text isn't JSON. */
export function checkJson(text: string | Bytes): void {
  new Scan(encodeDocument(text)).skipDocument();
}

/** @throws {JsonTextError} if the string contains a lone surrogate, which UTF-8 cannot encode. */
function encodeDocument(text: string | Bytes): TerminatedBytes {
  if (typeof text !== "string") return terminate(text);
  const error = findUtf8Error(text);
  if (error === undefined) return utf8Encoder.encode(`${text}\0`);
  const { offset } = error;
  try {
    checkJson(text.slice(0, offset));
  } catch (earlier) {
    if (!(earlier instanceof JsonTextError)) throw earlier;
    if (earlier.offset < offset) throw earlier;
  }
  throw createTextError(text, offset, "well-formed Unicode");
}
