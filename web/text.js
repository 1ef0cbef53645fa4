/// <reference path="./types.d.ts" />

/**
 * Functions for strings: sizes, line endings, positions, lists of UUIDs and
 * passwords, ranges of JSON to fold, decoding of Base64.
 * @module
 */

const LINE_ENDINGS = new Map([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
]);

/** @param {string} text Its size in UTF-8 is returned, in bytes. */
export function countBytes(text) {
  return new TextEncoder().encode(text).length;
}

/**
 * Writes a size exactly, such as `1,234 bytes`.
 * @param {number} bytes
 */
export function describeBytes(bytes) {
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/**
 * Writes a size: exactly up to 10,000 bytes, above with at most three
 * significant digits in KB (1,000 bytes) or MB.
 * @param {number} bytes
 */
export function describeSize(bytes) {
  if (bytes <= 10_000) return describeBytes(bytes);
  const [unit, count] = bytes < 999_500 ? ["KB", 1_000] : ["MB", 1_000_000];
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  return `${format.format(bytes / count)} ${unit}`;
}

/**
 * Returns the name of the line endings in a text: `LF`, `CRLF`, `CR`, `mixed`,
 * or an empty string if there are none.
 * @param {string} text
 */
export function nameLineEndings(text) {
  const found = [];
  if (/(?<!\r)\n/.test(text)) found.push("LF");
  if (text.includes("\r\n")) found.push("CRLF");
  if (/\r(?!\n)/.test(text)) found.push("CR");
  return found.length > 1 ? "mixed" : found[0] ?? "";
}

/**
 * Replaces the line endings of a text.
 * @param {string} text
 * @param {string} name `LF`, `CRLF` or `CR`; `LF` is used for any other name.
 */
export function setLineEndings(text, name) {
  return text.replaceAll(/\r\n|\r|\n/g, LINE_ENDINGS.get(name) ?? "\n");
}

/**
 * Returns line and column of an offset, both counted from 1. Columns count code
 * points.
 * @param {string} text
 * @param {number} offset In UTF-16 code units.
 */
export function locate(text, offset) {
  // `split()` takes linear time, because its expression has fixed strings only.
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = countCodePoints(lines.at(-1) ?? "") + 1;
  return { line: lines.length, column };
}

/**
 * Returns the length of the character at an offset, in UTF-16 code units: 1 or
 * 2.
 * @param {string} text
 * @param {number} offset
 */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Counts code points. Unlike `[...text].length`, it creates no array of them: a
 * line may have millions.
 * @param {string} text
 */
export function countCodePoints(text) {
  const pair = /[\ud800-\udbff][\udc00-\udfff]/g;
  let count = text.length;
  while (pair.test(text)) count -= 1;
  return count;
}

/**
 * Finds the part in which two texts differ: `before.slice(from, to)` is to be
 * replaced by `insert`. The part begins and ends between characters: neither
 * inside of a surrogate pair nor of a CRLF.
 * @param {string} before
 * @param {string} after
 */
export function findChange(before, after) {
  let from = 0;
  let [to, end] = [before.length, after.length];
  while (from < end && before.charCodeAt(from) === after.charCodeAt(from)) {
    from += 1;
  }
  if (isInside(before, from) || isInside(after, from)) from -= 1;
  while (
    Math.min(to, end) > from &&
    before.charCodeAt(to - 1) === after.charCodeAt(end - 1)
  ) {
    to -= 1;
    end -= 1;
  }
  if (isInside(before, to) || isInside(after, end)) {
    to += 1;
    end += 1;
  }
  return { from, to, insert: after.slice(from, end) };
}

/**
 * Whether an offset is inside of a surrogate pair or of a CRLF.
 * @param {string} text
 * @param {number} offset
 */
function isInside(text, offset) {
  const around = text.slice(Math.max(0, offset - 1), offset + 1);
  return around === "\r\n" || around.length === 2 && lengthAt(around, 0) === 2;
}

/**
 * How the forms of the menu “Copy as” change a line.
 * @type {Map<string, (line: string) => string>}
 */
const FORMS = new Map([
  ["upper", (line) => line.toUpperCase()],
  ["bare", (line) => line.replaceAll("-", "")],
  ["quoted", (line) => `'${line}'`],
  ["json", (line) => JSON.stringify(line)],
]);

/**
 * Writes UUIDs or passwords in a form of the menu “Copy as”. Returns the lines
 * to show, and the text to copy.
 * @param {string} text One UUID or password per line.
 * @param {string} form `upper`, `bare` (without hyphens), `quoted`, `json`, or
 * any other for the lines as they are.
 */
export function formatList(text, form) {
  const lines = text.split("\n").map((line) => FORMS.get(form)?.(line) ?? line);
  if (form === "quoted") return { lines, text: lines.join(",\n") };
  if (form !== "json") return { lines, text: lines.join("\n") };
  if (lines.length > 1) {
    return { lines, text: `[\n  ${lines.join(",\n  ")}\n]` };
  }
  return { lines: [`[${lines}]`], text: `[${lines}]` };
}

/**
 * Returns the ranges to fold, as offsets: the contents of each object and array
 * that is directly inside the outermost one, and has several lines.
 * @param {string} text Formatted JSON.
 */
export function findBlocks(text) {
  const blocks = text.matchAll(createBlockPattern(text));
  return Array.from(blocks, ({ 0: { length }, index }) => {
    return { from: index, to: index + length };
  });
}

/**
 * Whether `findBlocks()` finds any range.
 * @param {string} text Formatted JSON.
 */
export function hasBlocks(text) {
  return createBlockPattern(text).test(text);
}

/**
 * Creates the expression that matches the ranges of `findBlocks()`. The spaces
 * before the first indented line are the indent of one level.
 * @param {string} text
 */
function createBlockPattern(text) {
  const indent = /\n( +)/.exec(text)?.[1] ?? "";
  return new RegExp(
    `(?<=\\n${indent}(?! ).*[[{])\\n[^]*?\\n${indent}(?=[\\]}])`,
    "g",
  );
}

/**
 * Decodes Base64 of the standard or the URL-safe alphabet, with or without
 * whitespace and padding. Returns undefined for other texts.
 * @param {string} text
 */
export function decodeBase64(text) {
  try {
    const standard = text.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.fromBase64(standard);
  } catch {
    return;
  }
}
