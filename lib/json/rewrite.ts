/**
 * Formats and minifies JSON texts (RFC 8259, strict) without loss. Only the white space
 * between tokens changes: numbers, escapes, the order of names and duplicate names
 * are copied.
 *
 * @module
 */

import { scanText, type WhiteSpaceHandler } from "./scan.ts";

const utf8Encoder = new TextEncoder();

/** The error for a text whose formatted form would be too large. */
export class JsonSizeError extends Error {
  /** `JsonSizeError`. */
  override name = "JsonSizeError";
}

/** Receives a result in parts. */
export interface JsonOutput {
  /** Whether the rewriting should pause. */
  readonly isFull: boolean;
  /** Writes the code units of a text from start to end, escaped if the output is a JSON string. */
  writeEscaped(text: string, start: number, end: number): void;
  /** Writes a space. */
  writeSpace(): void;
  /** Writes a line feed and the spaces of an indentation. */
  writeLineBreak(spaces: number): void;
}

/** Options of `formatJson()`. */
interface FormatOptions {
  /** Spaces for each level of nesting, at least 1. */
  readonly indent: number;
  /** Largest result, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;
  readonly output: JsonOutput;
}

/**
 * Writes a JSON text without the white space between its tokens. It pauses when the
 * output is full.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* minifyJson(
  text: string,
  output: JsonOutput,
): Generator<void, void> {
  const rewriter = new Rewriter(text, {
    indent: 0,
    maxBytes: Infinity,
    output,
  });
  yield* scanText(text, rewriter);
  rewriter.finish();
}

/**
 * Formats a JSON text like `JSON.stringify(value, null, indent)`: one element or member
 * per line, and `{}` or `[]` if there are none. It pauses when the output is full.
 *
 * @throws {JsonTextError} if the text is not JSON.
 * @throws {JsonSizeError} if the result would be larger than `maxBytes`; at most that
 * many bytes are written.
 */
export function* formatJson(
  text: string,
  options: FormatOptions,
): Generator<void, void> {
  const rewriter = new Rewriter(text, options);
  yield* scanText(text, rewriter);
  rewriter.finish();
  if (rewriter.isTooLong) {
    throw new JsonSizeError(
      `the result would exceed ${options.maxBytes} bytes`,
    );
  }
}

/**
 * Copies the tokens of a text to the output, with the white space of the formatted or
 * minified text between them. Offsets and lengths are in UTF-16 code units.
 */
class Rewriter implements WhiteSpaceHandler {
  /** Whether the result would exceed its limit, so that writing has stopped. */
  isTooLong = false;
  readonly #text: string;
  readonly #indent: number;
  readonly #maxBytes: number;
  /** Length of a result that is surely small enough: in UTF-8 a code unit has at most three bytes. */
  readonly #safeLength: number;
  readonly #output: JsonOutput;
  /** Length of the text in bytes minus its length in code units; `undefined` until computed. */
  #extraBytes: number | undefined;
  /** Length of the result so far, before escaping. */
  #length = 0;
  /** Offset of the text that has not been copied. */
  #pending = 0;

  /** @param options With an indent of 0 all white space is removed. */
  constructor(text: string, { indent, maxBytes, output }: FormatOptions) {
    this.#text = text;
    this.#indent = indent;
    this.#maxBytes = maxBytes;
    this.#safeLength = maxBytes - 2 * text.length;
    this.#output = output;
  }

  get isFull(): boolean {
    return this.#output.isFull;
  }

  remove(start: number, end: number): void {
    if (start !== end) this.#replace(start, end, 0);
  }

  replaceBySpace(start: number, end: number): void {
    if (this.#indent === 0) return this.remove(start, end);
    if (end - start === 1 && this.#text[start] === " ") return;
    if (this.#replace(start, end, 1)) this.#output.writeSpace();
  }

  replaceByLineBreak(start: number, end: number, depth: number): void {
    if (this.#indent === 0) return this.remove(start, end);
    const spaces = this.#indent * depth;
    if (end - start === 1 + spaces && this.#isLineBreak(start, end)) return;
    if (this.#replace(start, end, 1 + spaces)) {
      this.#output.writeLineBreak(spaces);
    }
  }

  #isLineBreak(start: number, end: number): boolean {
    if (this.#text[start] !== "\n") return false;
    for (let at = start + 1; at < end; at += 1) {
      if (this.#text[at] !== " ") return false;
    }
    return true;
  }

  /** Copies the rest of the text. */
  finish(): void {
    this.#replace(this.#text.length, this.#text.length, 0);
  }

  /**
   * Copies the text up to the white space from start to end, and skips the white space.
   * Returns false, and copies nothing, if the text and white space of the new length
   * would exceed the limit.
   */
  #replace(start: number, end: number, newLength: number): boolean {
    if (this.isTooLong) return false;
    const length = this.#length + start - this.#pending + newLength;
    if (length > this.#safeLength && this.#exceedsLimit(length)) {
      this.isTooLong = true;
      return false;
    }
    this.#output.writeEscaped(this.#text, this.#pending, start);
    this.#length = length;
    this.#pending = end;
    return true;
  }

  /** Whether a result with this number of code units has too many bytes. */
  #exceedsLimit(length: number): boolean {
    // Only white space differs, and it has one byte for each code unit: the
    // difference between both lengths is the same for the text and the result.
    this.#extraBytes ??= utf8Encoder.encode(this.#text).byteLength -
      this.#text.length;
    return length + this.#extraBytes > this.#maxBytes;
  }
}
