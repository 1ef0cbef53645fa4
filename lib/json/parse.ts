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

const DOUBLE_QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Longest text for `JSON.parse()`, in UTF-16 code units; it takes 4 ms at worst. */
const MAX_RUNTIME_LENGTH = 16 * 1024;

/** Number of members that are read between two pauses. */
const MEMBERS_PER_PAUSE = 500;

/** A string of at most 64 characters and escapes. */
const SHORT_STRING = /"(?:[^"\\]|\\.){0,64}"/y;

/** Makes a string longer than those that V8 adds to its table. */
const PADDING = "-".repeat(32);

/** Most UTF-16 code units that stand for one in an escaped string: `\\u0030`. */
const MAX_ESCAPE_LENGTH = 6;

/** The members of a JSON object; without a prototype, so that `__proto__` is an ordinary name. */
type Members = Record<string, unknown>;

/** An object of a parsed text, and its position in the text. */
interface ParsedObject {
  readonly members: Members;
  /** Offset of its first character, in UTF-16 code units. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** Whether a text is short enough for `JSON.parse()`. */
export function isShort(text: string): boolean {
  return text.length <= MAX_RUNTIME_LENGTH;
}

/**
 * Parses a JSON text, with pauses. Of a text of more than 16,384 UTF-16 code units only
 * the members of the outermost object are read: their arrays and objects come out
 * empty, and so does an outermost array. The operations do not use nested values.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* parseJson(text: string): Work<unknown> {
  return isShort(text)
    ? parseShortJson(text)
    : (yield* parseLargeJson(text, [])).value;
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
    runAtOnce(scanText(text));
    throw error;
  }
}

/**
 * Parses a large JSON text, with pauses. Arrays and objects come out empty, except for
 * the outermost object and the objects on the path.
 *
 * @param path Names of members, from the outermost object inwards. The object at its
 * end is returned as `found`, if there is one.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* parseLargeJson(
  text: string,
  path: readonly string[],
): Work<
  { readonly value: unknown; readonly found?: ParsedObject | undefined }
> {
  const reader = new Reader(text, path);
  const value = yield* reader.readValue(0);
  skipToEnd(text, reader.at);
  return { value, found: reader.found };
}

/** Reads a text from its start to its end, one member at a time. */
class Reader {
  found: ParsedObject | undefined;
  /** Offset of the next code unit, in UTF-16 code units. */
  at: number;
  readonly #text: string;
  readonly #path: readonly string[];
  #pauseAt = PAUSE_LENGTH;
  #count = 0;
  #hasTriedLast = false;

  constructor(text: string, path: readonly string[]) {
    this.#text = text;
    this.#path = path;
    this.at = skipWhiteSpace(text, 0);
  }

  /** Reads the value at the offset; its members if it is the object at a depth of the path. */
  *readValue(depth?: number): Work<unknown> {
    const text = this.#text;
    const start = this.at;
    const code = text.charCodeAt(start);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (code === OPEN_BRACE && depth !== undefined) {
        return yield* this.#readObject(depth);
      }
      const scan = new Scan(text, start);
      while (!scan.resume()) yield;
      this.at = scan.at;
      return code === OPEN_BRACE ? createMembers() : [];
    }
    if (code === DOUBLE_QUOTE) {
      return this.#tryLastString() ?? this.#readString();
    }
    this.at = skipScalar(text, start);
    return JSON.parse(text.slice(start, this.at));
  }

  *#readObject(depth: number): Work<Members> {
    const text = this.#text;
    const start = this.at;
    const members = createMembers();
    this.at = skipWhiteSpace(text, start + 1);
    if (text.charCodeAt(this.at) !== CLOSE_BRACE) {
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
    const text = this.#text;
    for (;;) {
      const name = this.#readString();
      this.at = skipColon(text, this.at);
      const isOnPath = name === this.#path[depth];
      members[name] = yield* this.readValue(isOnPath ? depth + 1 : undefined);
      this.at = skipWhiteSpace(text, this.at);
      const code = text.charCodeAt(this.at);
      if (code === CLOSE_BRACE) return;
      if (code !== COMMA) throw unexpected(text, this.at, '"," or "}"');
      this.at = skipWhiteSpace(text, this.at + 1);
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
    SHORT_STRING.lastIndex = this.at;
    if (this.#hasTriedLast || SHORT_STRING.test(this.#text)) return;
    // An attempt that fails keeps the text in memory until the next full collection.
    this.#hasTriedLast = true;
    const rest = this.#text.slice(this.at, this.#text.lastIndexOf('"') + 1);
    try {
      const value = JSON.parse(rest);
      this.at += rest.length;
      return value;
    } catch {
      // The string ends earlier or is invalid: it is scanned, which throws the error.
    }
  }

  /** Reads the string at the offset. */
  #readString(): string {
    const start = this.at;
    this.at = skipName(this.#text, start);
    const raw = this.#text.slice(start + 1, this.at - 1);
    if (!raw.includes("\\")) return raw;
    if (raw.length > MAX_ESCAPE_LENGTH * PADDING.length) {
      return JSON.parse(this.#text.slice(start, this.at));
    }
    return JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length);
  }
}

function createMembers(): Members {
  return Object.create(null);
}
