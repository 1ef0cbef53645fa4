/**
 * Parses untrusted JSON texts. `JSON.parse()` takes seconds for a megabyte of short
 * strings of digits, such as "16384" and "32768", whose hashes collide in V8's
 * string table. Large texts are therefore parsed without adding their strings to it.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { unexpected } from "./error.ts";
import { PAUSE_LENGTH, Scan, scanText, skipColon } from "./scan.ts";
import { skipName, skipScalar, skipToEnd, skipWhiteSpace } from "./tokens.ts";
import { encodeText, resize, terminate, type TextBytes } from "./utf8.ts";

const DOUBLE_QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Longest text for `JSON.parse()`, in bytes; it takes 4 ms at worst. */
const MAX_RUNTIME_BYTES = 16 * 1024;

/** Number of members that are read between two pauses. */
const MEMBERS_PER_PAUSE = 500;

/** Longest string that counts as short, in bytes with quotes. */
const SHORT_STRING_BYTES = 64;

// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Makes a string longer than those that V8 adds to its table. */
const PADDING = "-".repeat(32);

/** Most UTF-16 code units that stand for one in an escaped string: `\\u0030`. */
const MAX_ESCAPE_LENGTH = 6;

/** The members of a JSON object; without a prototype, so that `__proto__` is an ordinary name. */
type Members = Record<string, unknown>;

/** A text with its UTF-8 bytes, which are freed at its disposal. */
export class Source implements Disposable {
  readonly bytes: TextBytes;
  readonly #text: string;

  /**
   * @param text The text, without lone surrogates.
   * @param bytes Its UTF-8 bytes, which are copied.
   */
  constructor(text: string, bytes: Uint8Array) {
    this.#text = text;
    this.bytes = terminate(bytes);
  }

  /** Returns the text from start to end, which are offsets in bytes; to the end by default. */
  slice(start: number, end = this.bytes.length - 1): string {
    // In ASCII the offsets are the same, and the string is not decoded again.
    return this.#text.length === this.bytes.length - 1
      ? this.#text.slice(start, end)
      : utf8Decoder.decode(this.bytes.subarray(start, end));
  }

  /** Frees the bytes, which the garbage collector would do later. */
  [Symbol.dispose](): void {
    resize(this.bytes.buffer, 0);
  }
}

/** An object of a parsed text, and its position in the text. */
interface ParsedObject {
  readonly members: Members;
  /** Offset of its first character, in bytes. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** Whether a text with these UTF-8 bytes is short enough for `JSON.parse()`. */
export function isShort(bytes: Uint8Array): boolean {
  return bytes.byteLength <= MAX_RUNTIME_BYTES;
}

/**
 * Parses a text for which `isShort()` is true.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function parseShortJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The scan throws an error with a position; the message of `JSON.parse()` may lack
    // it, or repeat the whole text.
    runAtOnce(scanText(encodeText(text)));
    throw error;
  }
}

/**
 * Parses a JSON text of any length, with pauses. Arrays and objects come out empty,
 * except for the outermost object and the objects on the path: the operations do not
 * use nested values.
 *
 * @param path Names of members, from the outermost object inwards. The object at its
 * end is returned as `found`, if there is one.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* parseLargeJson(
  source: Source,
  path: readonly string[] = [],
): Work<
  { readonly value: unknown; readonly found?: ParsedObject | undefined }
> {
  const reader = new Reader(source, path);
  const value = yield* reader.readValue(0);
  skipToEnd(source.bytes, reader.at);
  return { value, found: reader.found };
}

/** Reads a text from its start to its end, one member at a time. */
class Reader {
  found: ParsedObject | undefined;
  /** Offset of the next byte. */
  at: number;
  readonly #source: Source;
  readonly #bytes: TextBytes;
  readonly #path: readonly string[];
  #pauseAt = PAUSE_LENGTH;
  #count = 0;
  #hasTriedLast = false;

  constructor(source: Source, path: readonly string[]) {
    this.#source = source;
    this.#bytes = source.bytes;
    this.#path = path;
    this.at = skipWhiteSpace(source.bytes, 0);
  }

  /** Reads the value at the offset; its members if it is the object at a depth of the path. */
  *readValue(depth?: number): Work<unknown> {
    const bytes = this.#bytes;
    const start = this.at;
    const code = bytes[start];
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (code === OPEN_BRACE && depth !== undefined) {
        return yield* this.#readObject(depth);
      }
      const scan = new Scan(bytes, start);
      while (!scan.resume()) yield;
      this.at = scan.at;
      return code === OPEN_BRACE ? createMembers() : [];
    }
    if (code === DOUBLE_QUOTE) {
      return this.#tryLastString() ?? this.#readString();
    }
    this.at = skipScalar(bytes, start);
    return JSON.parse(this.#source.slice(start, this.at));
  }

  *#readObject(depth: number): Work<Members> {
    const bytes = this.#bytes;
    const start = this.at;
    const members = createMembers();
    this.at = skipWhiteSpace(bytes, start + 1);
    if (bytes[this.at] !== CLOSE_BRACE) {
      yield* this.#readMembers(members, depth);
    }
    this.at += 1;
    if (depth > 0 && depth === this.#path.length) {
      this.found = { members, start, end: this.at };
    }
    return members;
  }

  /** Reads members up to the closing brace. */
  *#readMembers(members: Members, depth: number): Work<void> {
    const bytes = this.#bytes;
    for (;;) {
      const name = this.#readString();
      this.at = skipColon(bytes, this.at);
      const isOnPath = name === this.#path[depth];
      members[name] = yield* this.readValue(isOnPath ? depth + 1 : undefined);
      this.at = skipWhiteSpace(bytes, this.at);
      const code = bytes[this.at];
      if (code === CLOSE_BRACE) return;
      if (code !== COMMA) throw unexpected(bytes, this.at, '"," or "}"');
      this.at = skipWhiteSpace(bytes, this.at + 1);
      this.#count += 1;
      if (this.#count < MEMBERS_PER_PAUSE && this.at < this.#pauseAt) continue;
      this.#count = 0;
      this.#pauseAt = this.at + PAUSE_LENGTH;
      yield;
    }
  }

  /**
   * Reads the string at the offset if it is long and ends with the last double quote of
   * the text: to parse it takes no longer than to search for its end first.
   */
  #tryLastString(): string | undefined {
    if (this.#hasTriedLast || this.#isShortString()) return;
    // An attempt that fails keeps the text in memory until the next full collection.
    this.#hasTriedLast = true;
    const end = this.#bytes.lastIndexOf(DOUBLE_QUOTE) + 1;
    const rest = this.#source.slice(this.at, end);
    try {
      const value = JSON.parse(rest);
      this.at = end;
      return value;
    } catch {
      // The string ends earlier or is invalid: it is scanned, which throws the error.
    }
  }

  /** Whether the string at the offset is short. It may be invalid. */
  #isShortString(): boolean {
    const bytes = this.#bytes;
    const end = Math.min(this.at + SHORT_STRING_BYTES, bytes.length);
    for (let at = this.at + 1; at < end; at += 1) {
      if (bytes[at] === DOUBLE_QUOTE) return true;
      if (bytes[at] === BACKSLASH) at += 1;
    }
    return false;
  }

  /** Reads the string at the offset. */
  #readString(): string {
    const start = this.at;
    this.at = skipName(this.#bytes, start);
    const raw = this.#source.slice(start + 1, this.at - 1);
    if (!raw.includes("\\")) return raw;
    if (raw.length > MAX_ESCAPE_LENGTH * PADDING.length) {
      return JSON.parse(this.#source.slice(start, this.at));
    }
    return JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length);
  }
}

function createMembers(): Members {
  return Object.create(null);
}
