/**
 * Parses untrusted JSON texts. `JSON.parse()` takes seconds for a megabyte of short
 * strings of digits, such as "16384" and "32768", whose hashes collide in V8's
 * string table. Large texts are therefore parsed without adding their strings to it.
 *
 * @module
 */

import type { Work } from "../work.ts";
import { Scan, type WhiteSpaceHandler } from "./scan.ts";

const DOUBLE_QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Longest text for `JSON.parse()`, in UTF-16 code units; it takes 4 ms at worst. */
const MAX_RUNTIME_LENGTH = 16 * 1024;

/** Number of members that are read between two pauses. */
const MEMBERS_PER_PAUSE = 500;

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
  end: number;
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
  if (!isShort(text)) return (yield* parseLargeJson(text, [])).value;
  try {
    return JSON.parse(text);
  } catch (error) {
    // The scan throws an error with a position; the message of `JSON.parse()` may lack
    // it, or repeat the whole text.
    const scan = new Scan(text);
    while (!scan.resume());
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
  const scan = new Scan(text, reader);
  while (!scan.resume()) {
    reader.isFull = false;
    yield;
  }
  const first = text.charCodeAt(text.search(/[^ \t\r\n]/));
  const value = first === OPEN_BRACE
    ? reader.root
    : first === OPEN_BRACKET
    ? []
    : JSON.parse(text);
  return { value, found: reader.found };
}

/** Collects the members of objects, whose ends it learns from the white space around them. */
class Reader implements WhiteSpaceHandler {
  readonly root: Members = createMembers();
  found: ParsedObject | undefined;
  isFull = false;
  readonly #text: string;
  /** Names of the objects that are read besides the outermost, each nested in the previous one. */
  readonly #path: readonly string[];
  /** The open containers, outermost first; `undefined` if the members are not collected. */
  readonly #open: (Members | undefined)[] = [];
  /** The container that the next line break opens. */
  #opening: Members | undefined = this.root;
  #nameStart: number | undefined;
  #name = "";
  #scalarStart: number | undefined;
  #count = 0;

  constructor(text: string, path: readonly string[]) {
    this.#text = text;
    this.#path = path;
  }

  remove(start: number, end: number): void {
    // The white space is in an empty container, unless it is before the outermost one.
    if (this.#open.length > 0) this.#endContainer(this.#opening, end);
    if (this.#nameStart === undefined) return this.#endScalar(start);
    this.#name = this.#readString(this.#nameStart, start);
  }

  replaceBySpace(_start: number, end: number): void {
    if (this.#nameStart === undefined) return;
    this.#nameStart = undefined;
    const code = this.#text.charCodeAt(end);
    if (code === OPEN_BRACKET) this.#set([]);
    else if (code === OPEN_BRACE) {
      const members = createMembers();
      this.#set(members);
      const depth = this.#open.length;
      if (this.#name === this.#path[depth - 1]) {
        this.#opening = members;
        if (depth === this.#path.length) {
          this.found = { members, start: end, end };
        }
      }
    } else this.#scalarStart = end;
  }

  replaceByLineBreak(start: number, end: number, depth: number): void {
    this.#endScalar(start);
    if (depth > this.#open.length) this.#open.push(this.#opening);
    else if (depth < this.#open.length) {
      this.#endContainer(this.#open.pop(), end);
    }
    this.#opening = undefined;
    // Before a closing bracket there is a line break as well.
    const isName = this.#open.at(-1) !== undefined &&
      this.#text.charCodeAt(end) === DOUBLE_QUOTE;
    this.#nameStart = isName ? end : undefined;
  }

  /** Handles the closing bracket of a container, at an offset. */
  #endContainer(container: Members | undefined, at: number): void {
    this.#opening = undefined;
    if (this.found && container === this.found.members) this.found.end = at + 1;
  }

  #endScalar(end: number): void {
    const start = this.#scalarStart;
    if (start === undefined) return;
    this.#scalarStart = undefined;
    const isString = this.#text.charCodeAt(start) === DOUBLE_QUOTE;
    this.#set(
      isString
        ? this.#readString(start, end)
        : JSON.parse(this.#text.slice(start, end)),
    );
  }

  #readString(start: number, end: number): string {
    const raw = this.#text.slice(start + 1, end - 1);
    if (!raw.includes("\\")) return raw;
    if (raw.length > MAX_ESCAPE_LENGTH * PADDING.length) {
      return JSON.parse(this.#text.slice(start, end));
    }
    return JSON.parse(`"${PADDING}${raw}"`).slice(PADDING.length);
  }

  #set(value: unknown): void {
    const members = this.#open.at(-1);
    if (members === undefined) return;
    members[this.#name] = value;
    this.#count += 1;
    if (this.#count % MEMBERS_PER_PAUSE === 0) this.isFull = true;
  }
}

function createMembers(): Members {
  return Object.create(null);
}
