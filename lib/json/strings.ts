/**
 * Reads strings and names of JSON texts without adding them to V8's hash table of short
 * strings, which a client can make slow (see `parse.ts`).
 */

import type { TextBytes } from "./utf8.ts";

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Prefix that makes a string too long for V8's hash table of short strings. */
const PADDING = "-".repeat(32);

/** Length of an escape sequence like `\u0061`, in bytes. */
const ESCAPE_LENGTH = 6;

/** Largest number of different names that `FirstNames` selects in one object. */
const MAX_FIRST_NAMES = 32;

// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the bytes between two offsets. */
export function decodePart(
  text: Uint8Array,
  start: number,
  end: number,
): string {
  return utf8Decoder.decode(text.subarray(start, end));
}

/**
 * Parses the content of a string, given without its quotes. The result is not in V8's hash
 * table of short strings.
 */
export function parseString(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length);
}

/**
 * Parses a part of a string, given by two offsets. The part must be too long for V8's hash
 * table of short strings. Returns `undefined` if the part is invalid, for example because
 * it contains the closing quote.
 */
export function tryParseString(
  text: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  try {
    return JSON.parse(`"${decodePart(text, start, end)}"`);
  } catch {
    return undefined;
  }
}

/** Decides by their names which members of an object are read. */
export interface Names {
  /**
   * Returns the name between two offsets, which exclude the quotes. Returns `undefined` if
   * the member with this name is to be skipped.
   */
  find(text: TextBytes, start: number, end: number): string | undefined;
}

/**
 * Selects the members with the given names. Other names are not decoded, since a client may
 * send many of them.
 */
export class KnownNames implements Names {
  readonly #names: readonly string[];

  /** @param names Names in ASCII. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  find(text: TextBytes, start: number, end: number): string | undefined {
    return this.#names.find((name) => isEqual(text, start, end, name));
  }
}

/** Selects the members with the first 32 different names of an object. */
export class FirstNames implements Names {
  // An array, since a client could make a `Set` slow by names with the same hash.
  readonly #names: string[] = [];
  #isFull = false;

  find(text: TextBytes, start: number, end: number): string | undefined {
    if (this.#isFull) return undefined;
    const name = parseString(decodePart(text, start, end));
    if (this.#names.includes(name)) return name;
    this.#isFull = this.#names.length === MAX_FIRST_NAMES;
    if (this.#isFull) return undefined;
    this.#names.push(name);
    return name;
  }
}

/**
 * Whether the content of a valid string, in which characters may be escaped, is equal to a
 * name in ASCII.
 */
function isEqual(
  text: TextBytes,
  start: number,
  end: number,
  name: string,
): boolean {
  let at = start;
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    if (at < end && text[at] === code) at += 1;
    else if (isEscape(text, at, code)) at += ESCAPE_LENGTH;
    else return false;
  }
  return at === end;
}

/**
 * Whether the escape sequence of an ASCII character, such as `\u0061` for `a`, starts at
 * the offset `at`.
 *
 * @param code Code of the character.
 */
function isEscape(text: TextBytes, at: number, code: number): boolean {
  return text[at] === BACKSLASH && text[at + 1] === LOWER_U &&
    text[at + 2] === DIGIT_0 && text[at + 3] === DIGIT_0 &&
    readHexDigit(text[at + 4]!) * 16 + readHexDigit(text[at + 5]!) === code;
}

function readHexDigit(digit: number): number {
  // In ASCII, the lowest four bits of a letter from `A` to `F`, or `a` to `f`, are 1 to 6.
  // As a hexadecimal digit, the letter has a value that is larger by 9.
  return (digit & 0xf) + (digit > DIGIT_9 ? 9 : 0);
}
