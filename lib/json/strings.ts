/**
 * Reads strings and names of JSON texts. They are kept out of the hash table of short
 * strings in V8, which a client can make slow (see `parse.ts`).
 */

import type { TextBytes } from "./utf8.ts";

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Prefix that makes a string so long that V8 does not add it to its hash table of short strings. */
const PADDING = "-".repeat(32);

/** Length of an escape sequence like `\u0061`, in bytes. */
const ESCAPE_LENGTH = 6;

/** Largest number of different names that `FirstNames` finds in an object. */
const MAX_FIRST_NAMES = 32;

// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the text between two offsets, which are in bytes. */
export function decodePart(
  text: Uint8Array,
  start: number,
  end: number,
): string {
  return utf8Decoder.decode(text.subarray(start, end));
}

/** Parses the content of a string, given without its quotes, and keeps it out of the hash table of short strings in V8. */
export function parseString(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length);
}

/**
 * Parses a long part of a string. Returns `undefined` if the part is invalid, for example
 * because it contains the closing quote.
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

/** Selects the members of an object that are read, by their names. */
export interface Names {
  /** Returns the name between two offsets, which exclude the quotes, or `undefined` if its member is not read. */
  find(text: TextBytes, start: number, end: number): string | undefined;
}

/** Selects members with given names. Other names are not decoded, since a client may send many. */
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

/** Selects members with the first 32 different names of an object. */
export class FirstNames implements Names {
  // No `Set`, which a client could make slow by names with the same hash.
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

/** Whether the content of a valid string, which may have escapes, is equal to a name in ASCII. */
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

/** Whether the `\u` escape of an ASCII character, such as `\u0061` for `a`, starts at the offset `at`. @param code Code of the character. */
function isEscape(text: TextBytes, at: number, code: number): boolean {
  return text[at] === BACKSLASH && text[at + 1] === LOWER_U &&
    text[at + 2] === DIGIT_0 && text[at + 3] === DIGIT_0 &&
    readHexDigit(text[at + 4]!) * 16 + readHexDigit(text[at + 5]!) === code;
}

function readHexDigit(digit: number): number {
  // In ASCII, the lowest four bits of `A` to `F`, and of `a` to `f`, are 1 to 6: the values of these digits less 9.
  return (digit & 0xf) + (digit > DIGIT_9 ? 9 : 0);
}
