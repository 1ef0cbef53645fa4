/**
 * Repairs JSON with mistakes such as comments and single quotes, if that leaves
 * its names and values as they are. Uses no DOM.
 * @module
 */

import { MAX_REPAIR } from "./text.js";
// @ts-types="../tools/operations.js"
import { jsonrepair } from "./vendor/operations.js";

/**
 * Longest text of which a repair is tried before it is offered, in UTF-16 code
 * units: some texts take quadratic time.
 */
const MAX_TRIED = 20_000;

/** The strings, numbers and words of valid JSON. */
const SCALARS = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{}:,]+/g;

/**
 * Text that may be around names and values, and is none itself: white space, punctuation, quotes with and without a backslash, comments, the
 * fence of a code block, and the name of a function before its arguments.
 */
const AROUND = new RegExp(
  /\s+|\\+["'/]|```\w*|[[\]{}:,;()"'`´‘’“”+.…]|/.source +
    /\/\*[^]*?(?:\*\/|$)|\/\/.*|[\w$.]+\s*(?=\()/.source,
  "y",
);

/** An escape: the character after the backslash, or its digits after `u`. */
const ESCAPE = /\\(["'`\\/bfnrt]|u([\da-fA-F]{4}))/y;

/** @type {Readonly<Record<string, string>>} */
const ESCAPED = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Words of Python and JavaScript, and the words of JSON for them. */
const WORDS = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
]);

/**
 * Whether a repair may be offered: it succeeds, or the text is too long to try.
 * @param {string} text
 */
export function mayRepair(text) {
  return text.length > MAX_TRIED || repair(text) !== undefined;
}

/**
 * Returns the repaired text; undefined if it is beyond repair, if the repair
 * would change a name or a value, or if it is longer than `MAX_REPAIR`.
 * @param {string} text
 */
export function repair(text) {
  if (text.length > MAX_REPAIR) return;
  try {
    const repaired = jsonrepair(text);
    return isKept(text, repaired) ? repaired : undefined;
  } catch {
    return;
  }
}

/**
 * Whether the names and values of a repaired text are all those of the text
 * before, in the same order. A value that the repair adds is `null`.
 * @param {string} before
 * @param {string} after
 */
function isKept(before, after) {
  let place = 0;
  for (const [scalar] of after.matchAll(SCALARS)) {
    const end = findEnd(before, place, scalar);
    if (end === undefined && scalar !== "null") return false;
    place = end ?? place;
  }
  return [...listPlaces(before, place)].at(-1) === before.length;
}

/**
 * Returns the end of a name or value of the repaired text in the text before,
 * if it is the next one after `start`.
 * @param {string} text
 * @param {number} start
 * @param {string} scalar
 */
function findEnd(text, start, scalar) {
  for (const place of listPlaces(text, start)) {
    if (scalar.startsWith('"')) {
      const end = matchString(text, place, JSON.parse(scalar));
      if (end !== undefined) return end;
    } else {
      const [word = ""] = /^\w*/.exec(text.slice(place, place + 10)) ?? [];
      if (WORDS.get(word) === scalar) return place + word.length;
      if (text.startsWith(scalar, place)) return place + scalar.length;
    }
  }
}

/**
 * Returns the places before which only `AROUND` is since `start`.
 * @param {string} text
 * @param {number} start
 */
function* listPlaces(text, start) {
  for (let place = start;; place = AROUND.lastIndex) {
    yield place;
    AROUND.lastIndex = place;
    if (!AROUND.test(text)) return;
  }
}

/**
 * Returns the end of a string that is written at a place of a text, each
 * character as it is or as an escape of JSON or JavaScript.
 * @param {string} text
 * @param {number} start
 * @param {string} string
 */
function matchString(text, start, string) {
  let place = start;
  for (let i = 0; i < string.length; i += 1) {
    ESCAPE.lastIndex = place;
    const [whole = text[place] ?? "", escape = whole, digits] =
      ESCAPE.exec(text) ?? [];
    const character = digits
      ? String.fromCharCode(parseInt(digits, 16))
      : whole === escape
      ? escape
      : ESCAPED[escape] ?? escape;
    if (character !== string[i]) return;
    place += whole.length;
  }
  return place;
}
