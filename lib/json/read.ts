/**
 * Reads properties of untrusted JSON. `JSON.parse()` would let a client slow the service down,
 * or change how other clients' JSON is read:
 * - V8 keeps names and short strings in a hash table, where strings of digits that are multiples
 *   of 16,384 collide. With many of them, `JSON.parse()` takes seconds to parse 1 MB
 *   (CVE-2026-21717). Node builds V8 with `v8_enable_seeded_array_index_hash` to prevent this,
 *   but Deno doesn't: https://github.com/denoland/rusty_v8/blob/main/.gn, `default_args`.
 * - V8 can replace an escaped name with the name that an earlier document had at the same
 *   position. After `{"q":1,"\\":2}`, the names in `{"q":1,"\u0061":2}` are `q` and a backslash
 *   (https://github.com/nodejs/node/issues/63785).
 *
 * Therefore, this module scans every document and creates only the strings that are needed.
 *
 * @module
 */

import type { Bytes } from "../buffer.ts";
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
  skipBytes,
  terminate,
  type TerminatedBytes,
  WHITESPACE,
} from "./scan.ts";

/** Minimum length of a long string, in bytes of the document. */
const MIN_LONG_BYTES = 256;

/** Maximum number of unknown names that are returned for each object. */
export const MAX_UNKNOWN = 5;

/** Maps the letter of an escape sequence, such as the `n` in `\n`, to the code it stands for. */
const ESCAPED_CODES = new Uint8Array(128);
for (const letter of '"\\/bfnrt') {
  const code = JSON.parse(`"\\${letter}"`).charCodeAt(0);
  ESCAPED_CODES[letter.charCodeAt(0)] = code;
}

/** The properties to read. */
export interface MemberOptions {
  /**
   * ASCII names without control characters, quotes, or backslashes. In the document, their
   * characters can be escaped.
   */
  readonly names: readonly string[];
  /**
   * The names of strings that can be returned as UTF-8, which is faster. The bytes can be part
   * of the document's buffer. The default is none.
   */
  readonly utf8Names?: readonly string[];
  /** Number of levels of objects, including the outermost one. The default is 1. */
  readonly depth?: number;
}

/**
 * Reads a document. If it is an object, returns only the properties in `names`. The same applies
 * to nested objects, down to `depth` levels; deeper objects are returned empty. A nonempty array
 * is returned as `[undefined]`. If a name appears more than once, the last value is returned.
 * The first five other names in each object are returned with the value `undefined`, so errors
 * can list them.
 *
 * @param bytes Valid UTF-8.
 * @throws {JsonTextError} if the document isn't JSON.
 */
export function readMembers(bytes: Bytes, options: MemberOptions): unknown {
  return new Reader(terminate(bytes), options).read();
}

class Reader {
  readonly #scan: Scan;
  /** Byte offset of the next token. */
  #at: number;
  /** Only one attempt is made, because repeated attempts would take quadratic time. */
  #hasTriedLongString = false;

  constructor(
    readonly text: TerminatedBytes,
    readonly options: MemberOptions,
  ) {
    this.#scan = new Scan(text);
    this.#at = this.#scan.skipGap(0);
  }

  read(): unknown {
    const { depth = 1 } = this.options;
    const create = this.#skipValue(depth, false);
    this.#scan.skipToEnd(this.#at);
    return create();
  }

  /**
   * Skips a value, and returns a function that creates it. If a name appears many times, only
   * the last value is created.
   */
  #skipValue(depth: number, asUtf8: boolean): () => unknown {
    const text = this.text;
    const start = this.#at;
    const code = text[start];
    if (code === OPEN_BRACE && depth > 0) return this.#skipObject(depth);
    if (code === DOUBLE_QUOTE) {
      const string = this.#tryLongString(asUtf8);
      if (string !== undefined) return () => string;
    }
    const end = this.#scan.skipValue(start);
    this.#at = end;
    return () => this.#createValue(start, end, asUtf8);
  }

  /**
   * Reads the first long string with `JSON.parse()`, which is much faster than a scan. Returns
   * `undefined` if the string contains an escaped quote, and for all other strings.
   */
  #tryLongString(asUtf8: boolean): string | Bytes | undefined {
    const text = this.text;
    const start = this.#at;
    const first = text.subarray(start + 1, start + MIN_LONG_BYTES);
    if (this.#hasTriedLongString || first.includes(DOUBLE_QUOTE)) {
      return undefined;
    }
    this.#hasTriedLongString = true;
    // Searching a string is much faster than searching bytes.
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
      const hasEscapes = string.length < quote - 1;
      return asUtf8 && !hasEscapes ? text.subarray(start + 1, end) : string;
    } catch {
      // The scan that follows finds the position of the error.
      return undefined;
    }
  }

  #skipObject(depth: number): () => object {
    const scan = this.#scan;
    const { names, utf8Names = [] } = this.options;
    const members = new Map<string, () => unknown>();
    let unknownNames = 0;
    this.#at = scan.skipGap(this.#at + 1);
    if (this.text[this.#at] === CLOSE_BRACE) {
      this.#at += 1;
      return () => ({});
    }
    for (;;) {
      const start = this.#at;
      const end = scan.skipName(start);
      this.#at = scan.skipColon(end);
      const name = names.find((name) => this.#isName(start, end, name));
      if (name === undefined) {
        unknownNames += 1;
        if (unknownNames <= MAX_UNKNOWN) {
          members.set(this.#createString(start, end), () => undefined);
        }
        this.#at = scan.skipValue(this.#at);
      } else {
        const asUtf8 = utf8Names.includes(name);
        members.set(name, this.#skipValue(depth - 1, asUtf8));
      }
      this.#at = scan.skipGap(this.#at);
      if (this.text[this.#at] !== COMMA) break;
      this.#at = scan.skipGap(this.#at + 1);
    }
    scan.checkCloser(this.#at, CLOSE_BRACE);
    this.#at += 1;
    return () => {
      // Without a prototype, so that `__proto__` is an ordinary name.
      const object = Object.create(null);
      for (const [name, create] of members) object[name] = create();
      return object;
    };
  }

  /** Creates a value. Objects and arrays are created without their content. */
  #createValue(start: number, end: number, asUtf8: boolean): unknown {
    const text = this.text;
    const code = text[start];
    if (code === OPEN_BRACE) return {};
    if (code === OPEN_BRACKET) {
      const isEmpty =
        text[skipBytes(text, start + 1, WHITESPACE)] === CLOSE_BRACKET;
      return isEmpty ? [] : [undefined];
    }
    if (code === DOUBLE_QUOTE) {
      const utf8 = asUtf8 ? decodeString(text, start, end) : undefined;
      return utf8 ?? this.#createString(start, end);
    }
    return JSON.parse(decodeValidUtf8(text.subarray(start, end)));
  }

  /** Decodes a string. The `x` prevents hash collisions between escaped strings of digits. */
  #createString(start: number, end: number): string {
    const content = decodeValidUtf8(this.text.subarray(start + 1, end - 1));
    if (!content.includes("\\")) return content;
    return JSON.parse(`"x${content}"`).slice(1);
  }

  /** Whether a string in the document equals `name` when its escape sequences are decoded. */
  #isName(start: number, end: number, name: string): boolean {
    const text = this.text;
    // Compares lengths first: an escape sequence is up to 5 bytes longer than its character.
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
}

/**
 * Decodes a string to UTF-8. Returns `undefined` if it contains a `\u` escape sequence, or is
 * short and contains another one, because creating a short string is faster.
 */
function decodeString(
  text: TerminatedBytes,
  start: number,
  end: number,
): Bytes | undefined {
  const content = text.subarray(start + 1, end - 1);
  if (!content.includes(BACKSLASH)) return content;
  if (content.length < MIN_LONG_BYTES) return undefined;
  const output = new Uint8Array(content.length);
  let length = 0;
  // In a separate function, V8 would inline this loop, and optimize it only partly.
  for (let at = 0; at < content.length; at += 1) {
    let code = content[at]!;
    if (code === BACKSLASH) {
      at += 1;
      code = ESCAPED_CODES[content[at]!]!;
      if (code === 0) return undefined;
    }
    output[length] = code;
    length += 1;
  }
  return output.subarray(0, length);
}

/** Decodes the escape sequence at an offset into a UTF-16 code unit. */
function readEscape(text: TerminatedBytes, at: number): number {
  const letter = text[at + 1]!;
  if (letter !== LOWER_U) return ESCAPED_CODES[letter]!;
  let code = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    // The lowest four bits of `A` to `F` and `a` to `f` are 9 less than the digit's value.
    const byte = text[digit]!;
    code = code << 4 | (byte & 0xf) + (byte > 0x39 ? 9 : 0);
  }
  return code;
}
