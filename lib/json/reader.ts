/**
 * Reads selected members of the objects in a JSON text, without `JSON.parse()` of the whole
 * text.
 */

import type { Work } from "../work.ts";
import { UnexpectedByte } from "./error.ts";
import { PAUSE_LENGTH, Scan, skipColon } from "./scan.ts";
import {
  decodePart,
  FirstNames,
  KnownNames,
  parseString,
  tryParseString,
} from "./strings.ts";
import {
  skipBackToEscape,
  skipName,
  skipScalar,
  skipStringPart,
  skipWhiteSpace,
} from "./tokens.ts";
import type { TextBytes } from "./utf8.ts";

const DOUBLE_QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Number of members that are read between two pauses. */
const MEMBERS_PER_PAUSE = 500;

/** A long string is decoded in parts: length of each part after the first, in bytes. */
const PART_LENGTH = 64 * 1024;

/**
 * Length of the first part of a string that is decoded, in bytes. A string that is not
 * longer is decoded in one piece.
 */
const FIRST_LENGTH = 256;

/**
 * The members of a JSON object, by name. The object that holds them has no prototype, so
 * that `__proto__` is an ordinary name.
 */
type Members = Record<string, unknown>;

/** The members that are read from the objects of a text; all other members are skipped. */
export interface Selection {
  /**
   * Names of members to read from the outermost object, and from every object on `path`
   * except the last.
   */
  readonly names: readonly string[];
  /**
   * Names of nested members, from the outside in: `params` and `arguments` lead to the
   * object `arguments` inside of the object `params`. Of the last object, members with any
   * name are read, up to 32 different names.
   */
  readonly path?: readonly string[];
}

/** An object of a parsed text, and its position in the text. */
export interface ParsedObject {
  readonly members: Members;
  /** Offset of the object's first character, in bytes. */
  readonly start: number;
  /** Offset after the object's last character, in bytes. */
  readonly end: number;
}

/** Reads the selected members of one text, from its start to its end. */
export class Reader {
  /** The object at the end of `Selection.path`, once it has been read. */
  found: ParsedObject | undefined;
  /** Offset of the next byte to read. */
  at: number;
  readonly #text: TextBytes;
  readonly #names: readonly string[];
  readonly #path: readonly string[];
  #pauseAt = PAUSE_LENGTH;
  #lastQuote: number | undefined;
  /**
   * Whether long strings are assumed to end at the last double quote of the text; false
   * after one that did not.
   */
  #endsAtLastQuote = true;
  #count = 0;

  constructor(text: TextBytes, { names, path = [] }: Selection) {
    this.#text = text;
    this.#names = names;
    this.#path = path;
    this.at = skipWhiteSpace(text, 0);
  }

  /** Reads the outermost value of the text. */
  readOutermost(): Work<unknown> {
    return this.#readValue(0);
  }

  /**
   * Reads the value at the offset `at`. `depth` is 0 for the outermost value, and 1, 2 and
   * so on for the values of members on `Selection.path`. Without `depth`, an object is
   * skipped and returned empty; an array always is.
   */
  *#readValue(depth?: number): Work<unknown> {
    const text = this.#text;
    const start = this.at;
    const code = text[start];
    if (code === DOUBLE_QUOTE) return yield* this.#readString();
    if (code === OPEN_BRACE && depth !== undefined) {
      return yield* this.#readObject(depth);
    }
    yield* this.#skipValue();
    if (code === OPEN_BRACE) return createMembers();
    if (code === OPEN_BRACKET) return [];
    return JSON.parse(decodePart(text, start, this.at));
  }

  *#skipValue(): Work<void> {
    const scan = new Scan(this.#text, this.at);
    while (!scan.resume()) yield;
    this.at = scan.at;
  }

  *#readObject(depth: number): Work<Members> {
    const start = this.at;
    const members = createMembers();
    this.at = skipWhiteSpace(this.#text, start + 1);
    if (this.#text[this.at] !== CLOSE_BRACE) {
      yield* this.#readMembers(members, depth);
    }
    this.at += 1;
    if (depth > 0 && depth === this.#path.length) {
      this.found = { members, start, end: this.at };
    }
    return members;
  }

  /** Reads the members of an object, up to its closing brace. */
  *#readMembers(members: Members, depth: number): Work<void> {
    const text = this.#text;
    const names = depth < this.#path.length
      ? new KnownNames([...this.#names, this.#path[depth]!])
      : depth > 0
      ? new FirstNames()
      : new KnownNames(this.#names);
    for (;;) {
      const start = this.at;
      const end = skipName(text, start);
      const name = names.find(text, start + 1, end - 1);
      this.at = skipColon(text, end);
      if (name !== undefined) {
        const isOnPath = name === this.#path[depth];
        members[name] = yield* this.#readValue(
          isOnPath ? depth + 1 : undefined,
        );
      } else if (isContainer(text[this.at]!)) yield* this.#skipValue();
      else this.at = skipScalar(text, this.at);
      this.at = skipWhiteSpace(text, this.at);
      const code = text[this.at];
      if (code === CLOSE_BRACE) return;
      if (code !== COMMA) throw new UnexpectedByte(this.at, '"," or "}"');
      this.at = skipWhiteSpace(text, this.at + 1);
      this.#count += 1;
      if (this.#count < MEMBERS_PER_PAUSE && this.at < this.#pauseAt) continue;
      this.#count = 0;
      this.#pauseAt = this.at + PAUSE_LENGTH;
      yield;
    }
  }

  /** Reads the string at the offset `at` in parts, with pauses. */
  *#readString(): Work<string> {
    const text = this.#text;
    let value = "";
    let start = this.at + 1;
    for (;;) {
      let end = this.#findEnd(start);
      let part = end > start ? tryParseString(text, start, end) : undefined;
      if (part === undefined) {
        // `#findEnd()` has given no end, or a wrong one. It never gives one for the first
        // part. If a later part has none, or a wrong one, `#findEnd()` is not used again
        // for this text.
        const isFirst = start === this.at + 1;
        if (!isFirst) this.#endsAtLastQuote = false;
        end = skipStringPart(text, start, isFirst ? FIRST_LENGTH : PART_LENGTH);
        part = parseString(decodePart(text, start, end));
      }
      value += part;
      start = end;
      if (text[end] === DOUBLE_QUOTE) break;
      if (value.length > FIRST_LENGTH) yield;
    }
    this.at = start + 1;
    return value;
  }

  /**
   * Guesses the offset at which the next part of a string ends: large strings mostly end at
   * the last double quote of the text. If the guess is right, no search for the closing
   * quote is needed, which takes as long as parsing the part. Returns `start` instead of a
   * guess for the first part, for a part below 256 bytes, and after a wrong guess.
   */
  #findEnd(start: number): number {
    if (!this.#endsAtLastQuote || start === this.at + 1) return start;
    this.#lastQuote ??= this.#text.lastIndexOf(DOUBLE_QUOTE);
    const end = Math.min(start + PART_LENGTH, this.#lastQuote);
    if (end - start < FIRST_LENGTH) return start;
    return end === this.#lastQuote ? end : skipBackToEscape(this.#text, end);
  }
}

function isContainer(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

function createMembers(): Members {
  return Object.create(null);
}
