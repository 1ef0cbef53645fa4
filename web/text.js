/// <reference path="./types.d.ts" />

/**
 * Functions for strings.
 * @module
 */

/** @type {Readonly<Record<string, string>>} */
const LINE_ENDINGS = { LF: "\n", CRLF: "\r\n", CR: "\r" };

/**
 * Formats a size: exactly up to 10,000 bytes, and above with three significant
 * digits.
 * @param {number} bytes
 */
export function describeSize(bytes) {
  if (bytes === 1) return "1 byte";
  if (bytes <= 10_000) return `${bytes.toLocaleString("en")} bytes`;
  const [unit, count] = bytes < 999_500 ? ["KB", 1_000] : ["MB", 1_000_000];
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  return `${format.format(bytes / count)} ${unit}`;
}

/**
 * Returns the name of the line endings in a string: `LF`, `CRLF`, `CR`, `mixed`,
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
 * Replaces all line endings.
 * @param {string} text
 * @param {string} name `LF`, `CRLF`, or `CR`. Any other name selects `LF`.
 */
export function setLineEndings(text, name) {
  return text.replaceAll(/\r\n|\r|\n/g, LINE_ENDINGS[name] ?? "\n");
}

/**
 * Returns line and column of an offset, both counted from 1. Columns count code
 * points.
 * @param {string} text
 * @param {number} offset In UTF-16 code units.
 */
export function locate(text, offset) {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  // Not an array of code points: a line can have millions.
  const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
  const { length } = (lines.at(-1) ?? "").replaceAll(pairs, "-");
  return { line: lines.length, column: length + 1 };
}

/**
 * Returns the length of the character at an offset: 1 or 2 UTF-16 code units.
 * @param {string} text
 * @param {number} offset
 */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Finds where two strings differ: replacing `before.slice(from, to)` by `insert`
 * results in `after`.
 * @param {string} before
 * @param {string} after
 */
export function findChange(before, after) {
  let from = 0;
  let [to, end] = [before.length, after.length];
  while (from < end && before.charCodeAt(from) === after.charCodeAt(from)) {
    from += 1;
  }
  while (
    Math.min(to, end) > from &&
    before.charCodeAt(to - 1) === after.charCodeAt(end - 1)
  ) {
    to -= 1;
    end -= 1;
  }
  return { from, to, insert: after.slice(from, end) };
}

/**
 * How the notations of the menu “Copy as” change a line.
 * @type {Map<string, (line: string) => string>}
 */
const NOTATIONS = new Map([
  ["upper", (line) => line.toUpperCase()],
  ["bare", (line) => line.replaceAll("-", "")],
  ["quoted", (line) => `'${line}'`],
  ["json", (line) => JSON.stringify(line)],
]);

/**
 * Formats UUIDs or passwords. Returns the lines to show, and the text to copy.
 * @param {string} text One UUID or password per line.
 * @param {string} notation `upper`, `bare` (without hyphens), `quoted`, `json`, or
 * any other for unchanged lines.
 */
export function formatList(text, notation) {
  const lines = text.split("\n").map((line) =>
    NOTATIONS.get(notation)?.(line) ?? line
  );
  if (notation === "quoted") return { lines, text: lines.join(",\n") };
  if (notation !== "json") return { lines, text: lines.join("\n") };
  if (lines.length > 1) {
    return { lines, text: `[\n  ${lines.join(",\n  ")}\n]` };
  }
  return { lines: [`[${lines}]`], text: `[${lines}]` };
}

/**
 * Returns the contents of each object and array that is directly inside the
 * outermost one and has several lines.
 * @param {string} text Formatted JSON.
 * @returns {Block[]}
 */
export function findBlocks(text) {
  // The spaces before the first indented line are the indent of one level.
  const indent = /\n( +)/.exec(text)?.[1] ?? "";
  const pattern = new RegExp(
    `(?<=\\n${indent}(?! ).*[[{])\\n[^]*?\\n${indent}(?=[\\]}])`,
    "g",
  );
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => {
    return { from: index, to: index + length };
  });
}

/**
 * Decodes Base64 of the standard or the URL-safe alphabet, with or without
 * whitespace and padding. Returns undefined for invalid Base64.
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
