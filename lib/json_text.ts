/**
 * Lossless work on JSON texts (RFC 8259, strict): validation with the exact
 * position of an error, minifying and formatting.
 *
 * One iterative scan serves all three. It changes the white space between
 * tokens and copies everything else as it came, so that numbers, escapes, the
 * order of names and duplicate names survive. No value is built, and nesting
 * costs one array element a level.
 *
 * @module
 */

import { type Gaps, JsonTextError, scan } from "./json_scan.ts";

export { JsonTextError };

/** A text whose formatted form would be larger than allowed. */
export class JsonSizeError extends Error {
  override name = "JsonSizeError";
}

/** How `formatJson()` lays out its result. */
export interface FormatOptions {
  /** Spaces a level of nesting, at least 1. */
  readonly indent: number;
  /** Largest result, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;
}

const utf8Encoder = new TextEncoder();

/** Says what is wrong with a text, and where; `undefined` for valid JSON. */
export function findJsonError(text: string): string | undefined {
  try {
    scan(text);
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
}

/**
 * Removes the white space between the tokens of a JSON text.
 *
 * @throws {JsonTextError} where the text is no JSON.
 */
export function minifyJson(text: string): string {
  const output = new Rewriter(text, { indent: 0, maxLength: Infinity });
  scan(text, output);
  return output.finish();
}

/**
 * Lays a JSON text out as `JSON.stringify(value, null, indent)` does: one
 * element or member a line, `{}` and `[]` where empty.
 *
 * @throws {JsonTextError} where the text is no JSON.
 * @throws {JsonSizeError} where the result would be larger than `maxBytes`; it
 * is given up before it grows past them.
 */
export function formatJson(text: string, options: FormatOptions): string {
  const { indent, maxBytes } = options;
  // Only white space is added or removed, and that is one byte a code unit: the
  // text's surplus of bytes over code units is the result's too.
  const surplus = utf8Encoder.encode(text).byteLength - text.length;
  const output = new Rewriter(text, { indent, maxLength: maxBytes - surplus });
  scan(text, output);
  const result = output.finish();
  if (output.isTooLong) {
    throw new JsonSizeError(`the result would exceed ${maxBytes} bytes`);
  }
  return result;
}

/**
 * Copies a text with the gaps between its tokens filled anew. What needs no
 * change is copied in one piece. Offsets and lengths are in UTF-16 code units.
 */
class Rewriter implements Gaps {
  /** Whether the result was given up because it outgrew its limit. */
  isTooLong = false;
  readonly #text: string;
  readonly #indent: number;
  readonly #maxLength: number;
  readonly #lineBreaks: string[] = [];
  #result = "";
  /** Where the piece of the text begins that the result does not have yet. */
  #pending = 0;

  /** An indent of 0 leaves out all white space. */
  constructor(text: string, layout: { indent: number; maxLength: number }) {
    this.#text = text;
    this.#indent = layout.indent;
    this.#maxLength = layout.maxLength;
  }

  /** Empties the gap from start to end. */
  close(start: number, end: number): void {
    if (start !== end) this.#replace(start, end, "");
  }

  /** Fills the gap after a colon. */
  space(start: number, end: number): void {
    this.#fill(start, end, this.#indent === 0 ? "" : " ");
  }

  /** Fills the gap before a line at this depth of nesting. */
  breakLine(start: number, end: number, depth: number): void {
    if (this.#indent === 0) return this.close(start, end);
    if (this.isTooLong) return;
    const lineBreak = this.#lineBreaks[depth] ??= "\n" +
      " ".repeat(this.#indent * depth);
    this.#fill(start, end, lineBreak);
  }

  /** Copies what is left, and returns the result. */
  finish(): string {
    this.close(this.#text.length, this.#text.length + 1);
    return this.#result;
  }

  #fill(start: number, end: number, filling: string): void {
    const isFilled = end - start === filling.length &&
      this.#text.startsWith(filling, start);
    if (!isFilled) this.#replace(start, end, filling);
  }

  #replace(start: number, end: number, filling: string): void {
    if (this.isTooLong) return;
    const length = this.#result.length + start - this.#pending + filling.length;
    if (length > this.#maxLength) {
      this.isTooLong = true;
      this.#result = "";
      return;
    }
    this.#result += this.#text.slice(this.#pending, start) + filling;
    this.#pending = end;
  }
}
