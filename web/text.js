/// <reference path="./types.d.ts" />

/** Functions for texts: sizes, line endings, positions, lists, quoting. Uses no DOM. @module */

/** The line endings, by the names that the page shows. */
export const LINE_ENDS = new Map([["LF", "\n"], ["CRLF", "\r\n"], [
  "CR",
  "\r",
]]);

/** Returns a size with its unit, such as `12 bytes`. @param {string | number} size A number of bytes, or a text, whose size in UTF-8 is returned. */
export function describeSize(size) {
  const bytes = typeof size === "number" ? size : countBytes(size);
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** Returns the message that a text is too large for a request. @param {number} size Size of the text in bytes. @param {number} limit Maximum size of a request body in bytes. */
export function describeLimit(size, limit) {
  return `it has ${describeSize(size)}, and the service takes at most ${
    describeSize(limit)
  } a request`;
}

/** Returns the size of a text in UTF-8, in bytes. ASCII text has one byte per character and is not encoded: testing for ASCII is several times as fast as encoding. @param {string} text */
export function countBytes(text) {
  const isAscii = !/[^\0-\x7f]/.test(text);
  return isAscii ? text.length : new TextEncoder().encode(text).length;
}

/** Returns the name of the line endings in a text: one of `LINE_ENDS`, `mixed`, or an empty text if it has a single line. @param {string} text */
export function nameLineEnds(text) {
  if (!text.includes("\r")) return text.includes("\n") ? "LF" : "";
  const hasBoth = text.includes("\r\n");
  const hasCr = /\r(?!\n)/.test(text);
  if (/(?<!\r)\n/.test(text) || hasBoth && hasCr) return "mixed";
  return hasCr ? "CR" : "CRLF";
}

/** Replaces all line endings in a text with the given one. @param {string} text @param {string} end The new line ending. */
export function setLineEnds(text, end) {
  return text.replaceAll(/\r\n|\r|\n/g, end);
}

/**
 * Returns the position that an error message of the service names, such as `at line 2, column 5` or `at offset 12`, as
 * an offset in the input, in UTF-16 code units. Returns undefined if the message names no position. Lines end at LF, CR
 * or CRLF; columns are counted in code points.
 * @param {string} message @param {string} text The input.
 */
export function findPosition(message, text) {
  const [, line, column, given] =
    /at (?:line (\d+), column (\d+)$|offset (\d+))/.exec(message) ?? [];
  if (given) return Number(given);
  if (!line) return;
  const end = /\r\n|\r|\n/g;
  for (let i = 1; i < Number(line); i += 1) end.exec(text);
  let offset = end.lastIndex;
  for (let i = 1; i < Number(column); i += 1) offset += lengthAt(text, offset);
  return offset;
}

/** Replaces `at offset N` in an error message of the service with `at line L, column C`. @param {string} message @param {string} text The input. */
export function namePlace(message, text) {
  return message.replace(
    /at offset (\d+)(?=$| after .{1,8}$)/,
    (_all, offset) => {
      const lines = text.slice(0, Number(offset)).split(/\r\n|\r|\n/);
      const column = [...lines.at(-1) ?? ""].length + 1;
      return `at line ${lines.length}, column ${column}`;
    },
  );
}

/** Returns the length of the character at an offset: 1 or 2 UTF-16 code units. @param {string} text @param {number} offset */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Notations for a list of UUIDs, by name. `line` converts one UUID for display; `list` joins the converted UUIDs into
 * the text to copy.
 * @type {Readonly<Record<string, { line(line: string): string, list(lines: string[]): string }>>}
 */
const FORMS = {
  lines: { line: String, list: (lines) => lines.join("\n") },
  upper: {
    line: (line) => line.toUpperCase(),
    list: (lines) => lines.join("\n"),
  },
  bare: {
    line: (line) => line.replaceAll("-", ""),
    list: (lines) => lines.join("\n"),
  },
  quoted: {
    line: String,
    list: (lines) => lines.map((line) => `'${line}'`).join(",\n"),
  },
  json: { line: String, list: (lines) => JSON.stringify(lines, null, 2) },
};

/**
 * Converts a list of UUIDs, one per line, to the notation with the given name in `FORMS`. Returns the lines to show,
 * and the text to copy. If `FORMS` has no such name, the text stays as it is.
 * @param {string} text @param {string} name
 */
export function formList(text, name) {
  const { line = String, list } = FORMS[name] ?? {};
  const lines = text.split("\n").map((text) => line(text));
  return { lines, text: list?.(lines) ?? text };
}

/** Shortens a text of more than 40 UTF-16 code units to the first 40 and an ellipsis. @param {string} text */
export function shorten(text) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Returns the ranges to fold in formatted JSON: the contents of the objects and arrays directly inside the outermost object or array. @param {string} text */
export function findBlocks(text) {
  const indent = /\n +/.exec(text)?.[0].length ?? 1;
  const margin = " ".repeat(indent - 1);
  const block = new RegExp(
    `(?<=\\n${margin}(?! ).*[[{])\\n[^]*?\\n${margin}(?=[\\]}])`,
    "g",
  );
  return Array.from(text.matchAll(block), ({ 0: { length }, index }) => {
    return { from: index, to: index + length };
  });
}

/** Quotes a text for a POSIX shell. @param {string} text */
export function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Replaces invisible characters in JSON, including bidirectional controls, with `\u` escape sequences. @param {string} json */
export function escapeUnseen(json) {
  return json.replace(
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    escapeUnit,
  );
}

/** Returns the JSON escape sequence of a UTF-16 code unit, such as `\u200b`. @param {string} unit */
export function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
