/**
 * Builds the value of a small JSON text. This stays fast if many strings have the same
 * hash; `JSON.parse()` does not (see `parse.ts`).
 */

import { decodePart, parseString } from "./strings.ts";
import { skipScalar, skipWhiteSpace } from "./tokens.ts";
import { addZeroByte, type TextBytes } from "./utf8.ts";

const DOUBLE_QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The error for a text with too many values. */
export class ValueCountError extends Error {}

/**
 * Matches names of seven or more digits. Members with such names are left out of objects:
 * V8 gives the same hash to those names that are multiples of 16,384, and a loop over the
 * names of an object is slow if many have the same hash.
 */
const LARGE_NUMBER = /^\d{7,}$/;

/**
 * Builds the value of a valid JSON text, like `JSON.parse()`, but without members whose
 * names are numbers of seven or more digits.
 *
 * @param maxValues Largest number of values in the text, inclusive; nested values count,
 * too. This also limits the depth of the recursion.
 *
 * @throws {ValueCountError} for a text with more values.
 */
export function buildValue(bytes: Uint8Array, maxValues: number): unknown {
  return new Builder(addZeroByte(bytes), maxValues).build();
}

class Builder {
  readonly #text: TextBytes;
  #remaining: number;
  /** Offset of the next token, in bytes. */
  #at: number;

  constructor(text: TextBytes, maxValues: number) {
    this.#text = text;
    this.#remaining = maxValues;
    this.#at = skipWhiteSpace(text, 0);
  }

  build(): unknown {
    this.#remaining -= 1;
    if (this.#remaining < 0) throw new ValueCountError();
    const code = this.#text[this.#at];
    if (code === OPEN_BRACKET) return this.#buildArray();
    if (code === OPEN_BRACE) return this.#buildObject();
    return this.#readScalar();
  }

  #buildArray(): unknown[] {
    const items: unknown[] = [];
    this.#skip();
    while (this.#text[this.#at] !== CLOSE_BRACKET) {
      items.push(this.build());
      if (this.#text[this.#at] === COMMA) this.#skip();
    }
    this.#skip();
    return items;
  }

  #buildObject(): object {
    const members: (readonly [string, unknown])[] = [];
    this.#skip();
    while (this.#text[this.#at] !== CLOSE_BRACE) {
      const name = this.#readScalar() as string;
      // Skips the colon.
      this.#skip();
      const value = this.build();
      if (!LARGE_NUMBER.test(name)) members.push([name, value]);
      if (this.#text[this.#at] === COMMA) this.#skip();
    }
    this.#skip();
    // `Object.fromEntries()` takes `__proto__` as an ordinary name; an assignment would set
    // the prototype.
    return Object.fromEntries(members);
  }

  #readScalar(): unknown {
    const start = this.#at;
    const end = skipScalar(this.#text, start);
    this.#at = skipWhiteSpace(this.#text, end);
    return this.#text[start] === DOUBLE_QUOTE
      ? parseString(decodePart(this.#text, start + 1, end - 1))
      : JSON.parse(decodePart(this.#text, start, end));
  }

  /** Skips a bracket, brace, comma or colon, and the white space after it. */
  #skip(): void {
    this.#at = skipWhiteSpace(this.#text, this.#at + 1);
  }
}
