/// <reference path="./types.d.ts" />

/** Facts about a text, without a page: sizes, line ends, positions, quoting. */

/** The line ends that a text can be given. */
export const LINE_ENDS = new Map([["LF", "\n"], ["CRLF", "\r\n"], [
  "CR",
  "\r",
]]);

/** The size of a text in UTF-8, or so many bytes. @param {string | number} size */
export function describeSize(size) {
  const bytes = typeof size === "number" ? size : countBytes(size);
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** Encoding a large text only to count its bytes takes several times as long as this search. @param {string} text */
function countBytes(text) {
  const isAscii = !/[^\0-\x7f]/.test(text);
  return isAscii ? text.length : new TextEncoder().encode(text).length;
}

/** Names the line ends of a text: one of `LINE_ENDS`, `mixed`, or nothing. @param {string} text */
export function nameLineEnds(text) {
  if (!text.includes("\r")) return text.includes("\n") ? "LF" : "";
  const hasBoth = text.includes("\r\n");
  const hasCr = /\r(?!\n)/.test(text);
  if (/(?<!\r)\n/.test(text) || hasBoth && hasCr) return "mixed";
  return hasCr ? "CR" : "CRLF";
}

/** Gives every line the same end. @param {string} text @param {string} end */
export function setLineEnds(text, end) {
  return text.replaceAll(/\r\n|\r|\n/g, end);
}

/**
 * The offset of the position that a message of the service ends in, as its contract
 * promises: `at line L, column C` or `at offset N`. Lines end at LF, CR or
 * CRLF; columns count code points, offsets code units.
 * @param {string} message @param {string} text
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

/** The code units of the character at an offset. @param {string} text @param {number} offset */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** Quotes a text for a POSIX shell. @param {string} text */
export function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes invisible characters and those that change the direction of text, as JSON does. @param {string} json */
export function escapeUnseen(json) {
  return json.replace(
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    escapeUnit,
  );
}

/** A UTF-16 code unit as JSON escapes it. @param {string} unit */
export function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
