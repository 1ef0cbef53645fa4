/**
 * Formats and minifies JSON texts (RFC 8259, strict) without loss. Only the white space
 * between tokens changes: numbers, escapes, the order of names and duplicate names
 * are copied.
 *
 * @module
 */

import type { Work } from "../work.ts";
import { scanText, type WhiteSpaceHandler } from "./scan.ts";
import { freeBuffer } from "../buffer.ts";
import { encodeText, type TextBytes } from "./utf8.ts";
import type { JsonWriter } from "./writer.ts";

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** The error for a text whose formatted form would be larger than `maxBytes`. */
export class JsonSizeError extends Error {
  /** Name of the error: always `JsonSizeError`. */
  override name = "JsonSizeError";
}

/** Options of `formatJson()`. */
interface FormatOptions {
  /** Spaces for each level of nesting; with 0 all white space is removed. */
  readonly indent: number;
  /** Largest result, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;
  /** The writer that gets the result, escaped as in a JSON string. */
  readonly output: JsonWriter;
}

/**
 * Writes a JSON text without the white space between its tokens. The generator pauses when
 * the writer is full.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function minifyJson(text: string, output: JsonWriter): Work<void> {
  return formatJson(text, { indent: 0, maxBytes: Infinity, output });
}

/**
 * Formats a JSON text like `JSON.stringify(value, null, indent)`: one element or member per
 * line, and `{}` or `[]` if there are none. The generator pauses when the writer is full.
 *
 * @throws {JsonTextError} if the text is not JSON.
 * @throws {JsonSizeError} if the result would be larger than `maxBytes`; at most that many
 * bytes are written.
 */
export function* formatJson(text: string, options: FormatOptions): Work<void> {
  const bytes = yield* encodeText(text);
  const rewriter = new Rewriter(bytes, options);
  try {
    yield* scanText(bytes, rewriter);
    rewriter.finish();
  } finally {
    // Frees the copy of the JSON text at once, without waiting for the garbage collector.
    freeBuffer(bytes.buffer);
  }
  if (rewriter.isTooLong) {
    throw new JsonSizeError(
      `the result would exceed ${options.maxBytes} bytes`,
    );
  }
}

/**
 * Copies the tokens of a text to the output, and writes the white space of the formatted or
 * minified text between them. Offsets and lengths are in bytes.
 */
class Rewriter implements WhiteSpaceHandler {
  /** Whether the result would exceed `maxBytes`, so that writing has stopped. */
  isTooLong = false;
  readonly #text: TextBytes;
  readonly #indent: number;
  readonly #maxBytes: number;
  readonly #output: JsonWriter;
  /** Length of the result so far, before escaping. */
  #length = 0;
  /** Offset of the first byte that has not been copied. */
  #pending = 0;

  constructor(text: TextBytes, { indent, maxBytes, output }: FormatOptions) {
    this.#text = text;
    this.#indent = indent;
    this.#maxBytes = maxBytes;
    this.#output = output;
  }

  get isFull(): boolean {
    return this.#output.isFull;
  }

  remove(start: number, end: number): void {
    if (start === end) return;
    const pending = this.#pending;
    if (!this.#skip(start, end, 0)) return;
    this.#output.writeEscaped(this.#text, pending, start);
  }

  replaceBySpace(start: number, end: number): void {
    if (this.#indent === 0) return this.remove(start, end);
    if (end - start === 1 && this.#text[start] === SPACE) return;
    const pending = this.#pending;
    if (!this.#skip(start, end, 1)) return;
    this.#output.writeWithSpace(this.#text, pending, start);
  }

  replaceByLineBreak(start: number, end: number, depth: number): void {
    if (this.#indent === 0) return this.remove(start, end);
    const spaces = this.#indent * depth;
    if (end - start === 1 + spaces && this.#isLineBreak(start, end)) return;
    const pending = this.#pending;
    if (!this.#skip(start, end, 1 + spaces)) return;
    this.#output.writeWithLineBreak(this.#text, pending, start, spaces);
  }

  #isLineBreak(start: number, end: number): boolean {
    if (this.#text[start] !== LINE_FEED) return false;
    for (let at = start + 1; at < end; at += 1) {
      if (this.#text[at] !== SPACE) return false;
    }
    return true;
  }

  /** Copies the rest of the text, after the last white space that was replaced. */
  finish(): void {
    this.remove(this.#text.length - 1, this.#text.length);
  }

  /**
   * Adds the length of the next piece of the result to `#length`. The piece consists of the
   * text from `#pending` to `start`, and of `newLength` bytes in place of the white space
   * from `start` to `end`. Returns false if the result would exceed `maxBytes`: then the
   * caller must not write the piece.
   */
  #skip(start: number, end: number, newLength: number): boolean {
    if (this.isTooLong) return false;
    const length = this.#length + start - this.#pending + newLength;
    if (length > this.#maxBytes) {
      this.isTooLong = true;
      return false;
    }
    this.#length = length;
    this.#pending = end;
    return true;
  }
}
