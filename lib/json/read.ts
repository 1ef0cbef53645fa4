/**
 * Reads members of untrusted JSON, without letting a client slow the service down, or change
 * how the JSON of other clients is read. `JSON.parse()` permits both:
 *
 * - V8 keeps names and short strings in a hash table, in which multiples of 16,384, written
 *   as strings of digits, collide: with many such strings, `JSON.parse()` takes seconds for
 *   1 MB. This is CVE-2026-21717, which Node has fixed by building V8 with the argument
 *   `v8_enable_seeded_array_index_hash`. Deno's V8 is built without this argument, see
 *   `default_args` in https://github.com/denoland/rusty_v8/blob/main/.gn.
 * - V8 can return an escaped name as the name that an earlier document had at the same
 *   position: after `{"q":1,"\\":2}`, the names in `{"q":1,"\u0061":2}` are `q` and a
 *   backslash (https://github.com/nodejs/node/issues/63785).
 *
 * Therefore every document is scanned, and only the strings that are needed are created.
 *
 * @module
 */

import { decodeValidUtf8 } from "../utf8.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  DOUBLE_QUOTE,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  Scan,
  skipWhitespace,
  type TerminatedBytes,
} from "./scan.ts";

/** A string is long if the first bytes after its opening quote, as many as this, have no quote. */
const MIN_LONG_BYTES = 256;

/** Largest number of members with unknown names that are returned of each object. */
export const MAX_UNKNOWN = 5;

/** By the letter of an escape sequence such as `\n`: the code of the character. */
const ESCAPED_CODES = new Uint8Array(128);
for (const letter of '"\\/bfnrt') {
  const code = JSON.parse(`"\\${letter}"`).charCodeAt(0);
  ESCAPED_CODES[letter.charCodeAt(0)] = code;
}

/**
 * Returns the members of a JSON object whose names are in `names`. A value that is an object
 * is reduced to such members as well, down to `depth` levels of objects, of which the
 * outermost is the first. Objects below these levels are returned empty. An array is returned
 * empty if it is empty, and otherwise with one element, `undefined`. Of members with equal
 * names the last one counts. If the document isn't an object, its value is returned.
 *
 * The first five members of each object with other names are returned with the value
 * `undefined`, so that an error can name them.
 *
 * @param bytes Valid UTF-8.
 * @param names Names in ASCII, without control characters, quotes and backslashes. In the
 * document, their characters can be escaped.
 * @throws {JsonTextError} if the document isn't JSON.
 */
export function readMembers(
  bytes: Uint8Array,
  names: readonly string[],
  depth = 1,
): unknown {
  const text = new Uint8Array(bytes.length + 1);
  text.set(bytes);
  return new Reader(text, names).read(depth);
}

class Reader {
  readonly #scan: Scan;
  readonly #text: TerminatedBytes;
  readonly #names: readonly string[];
  /** Offset of the next token, in bytes. */
  #at: number;
  /** Whether the first long string has been found: the search must not be repeated. */
  #hasTriedLongString = false;

  constructor(text: TerminatedBytes, names: readonly string[]) {
    this.#scan = new Scan(text);
    this.#text = text;
    this.#names = names;
    this.#at = this.#scan.skipGap(0);
  }

  read(depth: number): unknown {
    const value = this.#readValue(depth);
    this.#scan.skipToEnd(this.#at);
    return value;
  }

  #readValue(depth: number): unknown {
    const text = this.#text;
    const start = this.#at;
    const code = text[start];
    if (code === OPEN_BRACE && depth > 0) return this.#readObject(depth);
    if (code === DOUBLE_QUOTE) {
      const string = this.#tryLongString();
      if (string !== undefined) return string;
    }
    const end = this.#scan.skipValue(start);
    this.#at = end;
    if (code === OPEN_BRACE) return {};
    if (code === OPEN_BRACKET) {
      const isEmpty = text[skipWhitespace(text, start + 1)] === CLOSE_BRACKET;
      return isEmpty ? [] : [undefined];
    }
    return code === DOUBLE_QUOTE
      ? createString(text, start, end)
      : JSON.parse(decodeValidUtf8(text.subarray(start, end)));
  }

  /**
   * Reads the first long string, if it ends at the first quote in it. `JSON.parse()` checks
   * it in a fraction of the time of a scan. Returns `undefined` for any other string.
   */
  #tryLongString(): string | undefined {
    const text = this.#text;
    const start = this.#at;
    const first = text.subarray(start + 1, start + MIN_LONG_BYTES);
    if (this.#hasTriedLongString || first.includes(DOUBLE_QUOTE)) {
      return undefined;
    }
    this.#hasTriedLongString = true;
    // The search in a string is much faster than in bytes.
    const remaining = decodeValidUtf8(text.subarray(start));
    const quote = remaining.indexOf('"', 1);
    if (remaining[quote - 1] === "\\") return undefined;
    try {
      const string = JSON.parse(remaining.slice(0, quote + 1));
      const isAscii = remaining.length === text.length - start;
      const end = isAscii
        ? start + quote
        : text.indexOf(DOUBLE_QUOTE, start + 1);
      this.#at = end + 1;
      return string;
    } catch {
      // The scan finds the position of the error.
      return undefined;
    }
  }

  #readObject(depth: number): object {
    const scan = this.#scan;
    const members = new Map<string, unknown>();
    let unknownNames = 0;
    this.#at = scan.skipGap(this.#at + 1);
    if (this.#text[this.#at] === CLOSE_BRACE) {
      this.#at += 1;
      return {};
    }
    for (;;) {
      const start = this.#at;
      const end = scan.skipName(start);
      this.#at = scan.skipColon(end);
      const name = this.#findName(start, end);
      if (name === undefined) {
        unknownNames += 1;
        if (unknownNames <= MAX_UNKNOWN) {
          members.set(createString(this.#text, start, end), undefined);
        }
        this.#at = scan.skipValue(this.#at);
      } else {
        members.set(name, this.#readValue(depth - 1));
      }
      this.#at = scan.skipGap(this.#at);
      if (this.#text[this.#at] !== COMMA) break;
      this.#at = scan.skipGap(this.#at + 1);
    }
    scan.checkCloser(this.#at, CLOSE_BRACE);
    this.#at += 1;
    return Object.fromEntries(members);
  }

  /** Returns the one of the names that a string in the document is, if any. */
  #findName(start: number, end: number): string | undefined {
    // A loop, since a callback for each member takes longer.
    for (const name of this.#names) {
      if (isName(this.#text, start, end, name)) return name;
    }
    return undefined;
  }
}

/**
 * Creates a string. `JSON.parse()` gets a letter before it, since strings of digits collide,
 * also with escape sequences.
 */
function createString(
  text: TerminatedBytes,
  start: number,
  end: number,
): string {
  const content = decodeValidUtf8(text.subarray(start + 1, end - 1));
  if (!content.includes("\\")) return content;
  return JSON.parse(`"x${content}"`).slice(1);
}

/** Returns the UTF-16 code unit of the escape sequence at an offset. */
function readEscape(text: TerminatedBytes, at: number): number {
  const letter = text[at + 1]!;
  if (letter !== LOWER_U) return ESCAPED_CODES[letter]!;
  let code = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    // The lowest four bits of the letters `A` to `F` and `a` to `f` are 1 to 6: 9 less
    // than the values of the digits.
    const byte = text[digit]!;
    code = code << 4 | (byte & 0xf) + (byte > 0x39 ? 9 : 0);
  }
  return code;
}

/** Whether a string in the document is `name`, with or without escape sequences. */
function isName(
  text: TerminatedBytes,
  start: number,
  end: number,
  name: string,
): boolean {
  // Compares the lengths first, which is enough for most names: an escape sequence has up
  // to 5 bytes more than the character that it stands for.
  const added = end - start - name.length - 2;
  if (added < 0 || added > 5 * name.length) return false;
  let at = start + 1;
  for (let i = 0; i < name.length; i += 1) {
    let code = text[at]!;
    if (code === BACKSLASH) {
      code = readEscape(text, at);
      at += text[at + 1] === LOWER_U ? 5 : 1;
    }
    if (code !== name.charCodeAt(i)) return false;
    at += 1;
  }
  return at + 1 === end;
}
