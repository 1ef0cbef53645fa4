/// <reference path="./types.d.ts" />

/** Facts about a text, without a page: sizes, line ends, positions, quoting. */

const EACH_LINE_END = /\r\n|\r|\n/g;

/** The line ends that a text can be given. */
export const LINE_ENDS = new Map([["LF", "\n"], ["CRLF", "\r\n"], [
  "CR",
  "\r",
]]);

/** The size of a text in UTF-8, or so many bytes. @param {string | number} size */
export function describeSize(size) {
  const bytes = typeof size === "number"
    ? size
    : new TextEncoder().encode(size).byteLength;
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
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
  return text.replaceAll(EACH_LINE_END, end);
}

/**
 * The offset of the position that a message on JSON ends in: the service's
 * contract promises `at line L, column C`. Both count from 1, columns in code
 * points; lines end at LF, CR or CRLF.
 *
 * @param {string} message
 * @param {string} text
 */
export function findPosition(message, text) {
  const [, line, column] = /at line (\d+), column (\d+)$/.exec(message) ?? [];
  if (!line) return;
  let offset = 0;
  const ends = text.matchAll(EACH_LINE_END);
  for (let i = 1; i < Number(line); i += 1) {
    const { 0: end, index } = ends.next().value ?? { 0: "", index: offset };
    offset = index + end.length;
  }
  for (let i = 1; i < Number(column); i += 1) offset += lengthAt(text, offset);
  return offset;
}

/** The code units of the character at an offset. @param {string} text @param {number} offset */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Finds the character that the service refuses in Base64; nothing in a text whose
 * bytes it would decode.
 *
 * @param {string} text
 * @returns {{ wrong: string, offset?: number } | undefined}
 */
export function findBase64Error(text) {
  const digits = text.replaceAll(/[\t\n\f\r ]+/g, "").length;
  // Padding is right at the end of whole groups of four only.
  const body = digits % 4 === 0 ? text.replace(/(?:=\s*){1,2}$/, "") : text;
  // The first `-`, `_`, `+` or `/` tells the alphabet: the two share all other characters.
  const [special = "+"] = body.match(/[-_+/]/) ?? [];
  const foreign = "-_".includes(special)
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const found = foreign.exec(body);
  if (!found) {
    return digits % 4 === 1
      ? {
        wrong:
          `This Base64 is cut off: its character ${digits} encodes no byte.`,
      }
      : undefined;
  }
  const { 0: character, index: offset } = found;
  const what = `${quoteCharacter(character)} at character ${offset + 1}`;
  const wrong = character === "="
    ? `The padding is wrong: ${what}.`
    : "-_+/".includes(character)
    ? `${what} is of the other alphabet than “${special}” before it.`
    : `${what} is no Base64 character.`;
  return { wrong, offset };
}

/** @param {string} character */
function quoteCharacter(character) {
  if (!/[\p{C}\p{Z}]/u.test(character)) return `“${character}”`;
  const digits = character.codePointAt(0)?.toString(16).toUpperCase();
  return `U+${digits?.padStart(4, "0")}`;
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
