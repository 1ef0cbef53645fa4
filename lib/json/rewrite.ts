/**
 * Lossless minifying and formatting of JSON texts (RFC 8259, strict).
 *
 * The white space between tokens changes and everything else is copied as it
 * came, so that numbers, escapes, the order of names and duplicate names
 * survive.
 *
 * @module
 */

import { type Gaps, Scan } from "./scan.ts";

const utf8Encoder = new TextEncoder();

/** A text whose formatted form would be larger than allowed. */
export class JsonSizeError extends Error {
  /** `JsonSizeError`. */
  override name = "JsonSizeError";
}

/** Where a result goes, piece by piece. */
export interface JsonOutput {
  /** Whether the rewriting should pause. */
  readonly isFull: boolean;
  /** Takes the code units of a text from start to end, unchanged or escaped. */
  writeEscaped(text: string, start: number, end: number): void;
  /** Takes a space. */
  writeSpace(): void;
  /** Takes a line feed and the spaces of an indentation. */
  writeLineBreak(spaces: number): void;
}

/** How `formatJson()` lays out its result. */
export interface FormatOptions {
  /** Spaces a level of nesting, at least 1. */
  readonly indent: number;
  /** Largest result, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;
  readonly output: JsonOutput;
}

/**
 * Writes a JSON text without the white space between its tokens. It pauses
 * whenever the output is full.
 *
 * @throws {JsonTextError} where the text is no JSON.
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
  const scan = new Scan(text, rewriter);
  while (!scan.resume()) yield;
  rewriter.finish();
}

/**
 * Writes a JSON text laid out as `JSON.stringify(value, null, indent)` does: one
 * element or member a line, `{}` and `[]` where empty. It pauses whenever the
 * output is full.
 *
 * @throws {JsonTextError} where the text is no JSON.
 * @throws {JsonSizeError} where the result would be larger than `maxBytes`; it
 * is given up before it grows past them.
 */
export function* formatJson(
  text: string,
  options: FormatOptions,
): Generator<void, void> {
  const rewriter = new Rewriter(text, options);
  const scan = new Scan(text, rewriter);
  while (!scan.resume()) yield;
  rewriter.finish();
  if (rewriter.isTooLong) {
    throw new JsonSizeError(
      `the result would exceed ${options.maxBytes} bytes`,
    );
  }
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
  readonly #maxBytes: number;
  readonly #output: JsonOutput;
  /** How many more bytes than code units the text has. */
  #surplus: number | undefined;
  /** Length of the result, unescaped. */
  #length = 0;
  /** Where the piece of the text begins that the result does not have yet. */
  #pending = 0;

  /** An indent of 0 leaves out all white space. */
  constructor(text: string, { indent, maxBytes, output }: FormatOptions) {
    this.#text = text;
    this.#indent = indent;
    this.#maxBytes = maxBytes;
    this.#output = output;
  }

  get isFull(): boolean {
    return this.#output.isFull;
  }

  /** Empties the gap from start to end. */
  close(start: number, end: number): void {
    if (start !== end) this.#replace(start, end, 0);
  }

  /** Fills the gap after a colon. */
  space(start: number, end: number): void {
    if (this.#indent === 0) return this.close(start, end);
    if (end - start === 1 && this.#text[start] === " ") return;
    if (this.#replace(start, end, 1)) this.#output.writeSpace();
  }

  /** Fills the gap before a line at this depth of nesting. */
  breakLine(start: number, end: number, depth: number): void {
    if (this.#indent === 0) return this.close(start, end);
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

  /** Copies what is left. */
  finish(): void {
    this.#replace(this.#text.length, this.#text.length, 0);
  }

  /** Copies the text up to a gap for which that many code units are needed. */
  #replace(start: number, end: number, fillingLength: number): boolean {
    if (this.isTooLong) return false;
    const length = this.#length + start - this.#pending + fillingLength;
    if (this.#exceedsLimit(length)) {
      this.isTooLong = true;
      return false;
    }
    this.#output.writeEscaped(this.#text, this.#pending, start);
    this.#length = length;
    this.#pending = end;
    return true;
  }

  /** Whether a result of that many code units has too many bytes. */
  #exceedsLimit(length: number): boolean {
    // No code unit has more than two bytes besides its first.
    if (length + 2 * this.#text.length <= this.#maxBytes) return false;
    // Only white space is added or removed, and that is one byte a code unit:
    // the text's surplus is the result's too.
    this.#surplus ??= utf8Encoder.encode(this.#text).byteLength -
      this.#text.length;
    return length + this.#surplus > this.#maxBytes;
  }
}
