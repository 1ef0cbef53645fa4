/**
 * Reads members of untrusted JSON texts, without letting a client slow the service down, or
 * change how the texts of other clients are read. `JSON.parse()` permits both:
 *
 * - V8 keeps short strings in a hash table, in which multiples of 16,384, written as strings
 *   of digits, collide: with many such strings, `JSON.parse()` takes seconds for 1 MB, and up
 *   to 100 ms for 16 KB. The collisions are CVE-2026-21717, which Node has fixed by building
 *   V8 with the argument `v8_enable_seeded_array_index_hash`. Deno's V8 is built without this
 *   argument, see `default_args` in https://github.com/denoland/rusty_v8/blob/main/.gn.
 * - V8 may return an escaped name as the name that an earlier text had at the same place:
 *   after `{"q":1,"\\":2}`, the names in `{"q":1,"\u0061":2}` are `q` and a backslash
 *   (https://github.com/nodejs/node/issues/63785).
 *
 * Only texts of up to 32 KiB without such strings and names are parsed by `JSON.parse()` as
 * a whole. All other texts are scanned, and only the strings that are needed are created.
 * Once the V8 of every supported Deno is free of both faults, `JSON.parse()` can replace
 * `readMembers()`, except to find the position of an error.
 *
 * @module
 */

import { freeBuffer } from "../buffer.ts";
import { decodeValidUtf8 } from "../utf8.ts";
import { isLong, readLongString } from "./long_string.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOUBLE_QUOTE,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  Scan,
  skipWhiteSpace,
  SLASH,
  SPACE,
} from "./scan.ts";
import type { TerminatedText } from "./terminated_text.ts";

/** Largest text that `JSON.parse()` may parse as a whole, in bytes, inclusive. */
const SHORT_BYTES = 32 * 1024;

/**
 * Matches every text that may have many strings that collide in V8's hash table: a text
 * with a string that ends in seven or more digits, or has an escaped digit, such as
 * `\u0030`. With up to six digits, about 60 strings collide, too few to slow
 * `JSON.parse()` down.
 */
const COLLIDING = /\d\d\d\d\d\d\d"|\\u003\d/;

/** Largest number of members with other names that are returned of each object. */
const MAX_OTHERS = 5;

/**
 * Prefix that a string with escapes gets while `JSON.parse()` parses it. With the prefix,
 * the string is too long for the hash table in which V8 keeps short strings.
 */
const PADDING = "-".repeat(32);

/**
 * Returns the members of a JSON object whose names are among `names`. A value that is an
 * object is reduced to such members as well, down to `depth` levels of objects, of which
 * the outermost is the first. Objects below these levels are returned empty. An array is
 * returned empty if it is empty, and otherwise with one element, `undefined`.
 * Of members with equal names the last one counts. If the JSON text is not an object, its
 * value is returned.
 *
 * Of the members with other names, the first five of each object are returned with the
 * value `undefined`, so that an error can name them. Members with other names after the
 * first five are left out. Of a text of up to 32 KiB, all members and nested values may be
 * returned.
 *
 * @param bytes Valid UTF-8.
 * @param names Names in ASCII, without control characters, quotes and backslashes. In the
 * text, their characters may be escaped.
 * @throws {JsonTextError} if the text is not JSON.
 */
export function readMembers(
  bytes: Uint8Array,
  names: readonly string[],
  depth = 1,
): unknown {
  if (bytes.length <= SHORT_BYTES) {
    const text = decodeValidUtf8(bytes);
    const hasEscapes = text.includes("\\");
    if (!COLLIDING.test(text) && !(hasEscapes && hasEscapedName(bytes))) {
      try {
        return JSON.parse(text);
      } catch {
        // The text is not JSON: the scanner finds the position of the error.
      }
    }
  }
  const text = new Uint8Array(bytes.length + 1);
  text.set(bytes);
  try {
    return new Reader(text, names).read(depth);
  } finally {
    freeBuffer(text.buffer);
  }
}

/**
 * Whether a name in a JSON text has an escape sequence. Values may have some, also a string
 * that is itself a JSON text. For a text that is not JSON, the names before the error count.
 */
function hasEscapedName(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(BACKSLASH);
  while (at !== -1) {
    // Skips the escape sequence, and then the string up to the next one or to its end.
    at += 2;
    let byte = bytes[at];
    while (byte !== BACKSLASH && byte !== DOUBLE_QUOTE) {
      if (byte === undefined) return false;
      at += 1;
      byte = bytes[at];
    }
    if (byte === BACKSLASH) continue;
    at += 1;
    while (bytes[at]! <= SPACE) at += 1;
    if (bytes[at] === COLON) return true;
    at = bytes.indexOf(BACKSLASH, at);
  }
  return false;
}

/**
 * Creates a value that has been scanned. Is called after the scan of the whole text: a
 * client may repeat a name many times, and only the last value of the name is created. Only
 * a long string is created during the scan.
 */
type Read = () => unknown;

class Reader {
  readonly #scan: Scan;
  readonly #text: TerminatedText;
  readonly #names: readonly string[];
  /** Offset of the next token, in bytes. */
  #at: number;
  /** Whether the end of a long string has been guessed: this is done once for a text. */
  #hasGuessed = false;

  constructor(text: TerminatedText, names: readonly string[]) {
    this.#scan = new Scan(text);
    this.#text = text;
    this.#names = names;
    this.#at = this.#scan.skipGap(0);
  }

  read(depth: number): unknown {
    const read = this.#skipValue(depth);
    this.#scan.skipToEnd(this.#at);
    return read();
  }

  #skipValue(depth: number): Read {
    const start = this.#at;
    const code = this.#text[start];
    if (code === OPEN_BRACE && depth > 0) return this.#skipObject(depth);
    const string = code === DOUBLE_QUOTE ? this.#tryLongString() : undefined;
    if (string !== undefined) return () => string;
    const end = this.#scan.skipValue(start);
    this.#at = end;
    if (code === OPEN_BRACE) return () => ({});
    if (code === OPEN_BRACKET) {
      const first = this.#text[skipWhiteSpace(this.#text, start + 1)];
      return () => first === CLOSE_BRACKET ? [] : [undefined];
    }
    return () => this.#readScalar(start, end);
  }

  /** Reads the string at `#at` if it is the first long one, and its end is guessed right. */
  #tryLongString(): string | undefined {
    if (this.#hasGuessed || !isLong(this.#text, this.#at)) return undefined;
    this.#hasGuessed = true;
    const string = readLongString(this.#text, this.#at);
    this.#at = string?.end ?? this.#at;
    return string?.value;
  }

  #skipObject(depth: number): Read {
    const scan = this.#scan;
    const text = this.#text;
    const values = new Map<string, Read>();
    const others: { readonly start: number; readonly end: number }[] = [];
    let at = scan.skipGap(this.#at + 1);
    if (text[at] !== CLOSE_BRACE) {
      for (;;) {
        const start = at;
        const end = scan.skipName(start);
        this.#at = scan.skipColon(end);
        const name = this.#findName(start, end);
        if (name !== undefined) values.set(name, this.#skipValue(depth - 1));
        else {
          if (others.length < MAX_OTHERS) others.push({ start, end });
          this.#at = scan.skipValue(this.#at);
        }
        at = scan.skipGap(this.#at);
        if (text[at] !== COMMA) break;
        at = scan.skipGap(at + 1);
      }
      scan.checkCloser(at, CLOSE_BRACE);
    }
    this.#at = at + 1;
    return () => {
      const members: [name: string, value: unknown][] = [];
      for (const [name, read] of values) members.push([name, read()]);
      for (const { start, end } of others) {
        members.push([this.#readScalar(start, end) as string, undefined]);
      }
      return Object.fromEntries(members);
    };
  }

  /** Returns the one of the names that a string in the text is; `undefined` if none. */
  #findName(start: number, end: number): string | undefined {
    // Not `find()`: with a callback for each member, the first large body that the process
    // reads takes longer than with this loop.
    for (const name of this.#names) {
      if (isName(this.#text, start, end, name)) return name;
    }
    return undefined;
  }

  #readScalar(start: number, end: number): unknown {
    const raw = this.#decode(start, end);
    if (!raw.startsWith('"')) return JSON.parse(raw);
    const content = raw.slice(1, -1);
    if (!content.includes("\\")) return content;
    return JSON.parse(`"${PADDING}${content}"`).slice(PADDING.length);
  }

  #decode(start: number, end: number): string {
    return decodeValidUtf8(this.#text.subarray(start, end));
  }
}

/**
 * Whether a string in the text is `name`. The string is valid JSON, with its first quote at
 * `start`, and its last just before `end`. Its characters may be written in the form
 * `\u0061` or as `\/`. Any other escape sequence, such as `\n`, stands for a character that
 * names do not have.
 */
function isName(
  text: TerminatedText,
  start: number,
  end: number,
  name: string,
): boolean {
  // Compares the lengths first, which is enough for most names: an escape sequence has up
  // to 5 bytes more than the character that it stands for.
  const added = end - start - name.length - 2;
  if (added < 0 || added > 5 * name.length) return false;
  let at = start;
  for (let i = 0; i < name.length; i += 1) {
    at += 1;
    let code = text[at]!;
    if (code === BACKSLASH && text[at + 1] === SLASH) {
      code = SLASH;
      at += 1;
    } else if (code === BACKSLASH) {
      if (text[at + 1] !== LOWER_U) return false;
      code = 0;
      for (let digit = at + 2; digit < at + 6; digit += 1) {
        // The lowest four bits of the letters `A` to `F` and `a` to `f` are 1 to 6: 9 less
        // than the values of the digits.
        const byte = text[digit]!;
        code = code << 4 | (byte & 0xf) + (byte > 0x39 ? 9 : 0);
      }
      at += 5;
    }
    if (code !== name.charCodeAt(i)) return false;
  }
  return at + 2 === end;
}
