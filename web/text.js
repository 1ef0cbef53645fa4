/// <reference path="./types.d.ts" />

/** What can be known of a text without a page: sizes, line ends, positions, tokens, quoting. */

const LINE_END = /\r\n|\r|\n/;
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

/** Counts the lines of a text that end in LF. @param {string} text */
export function countLines(text) {
  let lines = 1;
  for (let at = -1; (at = text.indexOf("\n", at + 1)) !== -1;) lines += 1;
  return lines;
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

/** The text as a text area holds it: every line ends in LF. @param {string} text */
export function toShown(text) {
  return text.includes("\r") ? setLineEnds(text, "\n") : text;
}

/**
 * Replaces a part of a text. The offsets are those of the text as it is shown.
 *
 * @param {string} text
 * @param {{ start: number, end: number, by: string }} part
 */
export function replacePart(text, { start, end, by }) {
  /** @param {number} offset */
  function toExact(offset) {
    let exact = offset;
    for (let at = -2; (at = text.indexOf("\r\n", at + 2)) !== -1;) {
      if (at >= exact) break;
      exact += 1;
    }
    return exact;
  }
  return text.slice(0, toExact(start)) + by + text.slice(toExact(end));
}

/**
 * Carries an edit of the shown text over to the exact one: what was not edited
 * keeps its line ends, what is new gets those of the first line.
 *
 * @param {{ exact: string, shown: string }} before
 * @param {string} shown The text after the edit.
 */
export function keepLineEnds({ exact, shown: before }, shown) {
  if (!exact.includes("\r")) return shown;
  const shorter = Math.min(before.length, shown.length);
  const start = countSame(
    shorter,
    (at, length) =>
      before.slice(at, at + length) === shown.slice(at, at + length),
  );
  const left = countSame(
    shorter - start,
    (at, length) =>
      before.slice(before.length - at - length, before.length - at) ===
        shown.slice(shown.length - at - length, shown.length - at),
  );
  const [end = "\n"] = LINE_END.exec(exact) ?? [];
  const by = setLineEnds(shown.slice(start, shown.length - left), end);
  const kept = replacePart(exact, { start, end: before.length - left, by });
  // A CR that has come before an LF would be one line end with it.
  return countLines(toShown(kept)) === countLines(shown)
    ? kept
    : setLineEnds(shown, end);
}

/**
 * How many of so many characters are the same, one after the other.
 *
 * @param {number} length
 * @param {(at: number, length: number) => boolean} isSame
 */
function countSame(length, isSame) {
  let same = 0;
  // Pieces are compared much faster than characters.
  for (let piece = 65_536; piece >= 1; piece /= 16) {
    while (same + piece <= length && isSame(same, piece)) same += piece;
  }
  return same;
}

/**
 * The offset in a shown text of the position that a message on JSON ends in, by
 * the service's contract `at line L, column C`: it tells it in no other way.
 * Both count from 1, columns in code points.
 *
 * @param {string} message
 * @param {string} text
 */
export function findPosition(message, text) {
  const [, line, column] = /at line (\d+), column (\d+)$/.exec(message) ?? [];
  if (!line) return;
  let offset = 0;
  for (let i = 1; i < Number(line); i += 1) {
    offset = text.indexOf("\n", offset) + 1;
  }
  for (let i = 1; i < Number(column); i += 1) {
    offset += lengthAt(text, offset);
  }
  return offset;
}

/** The code units of the character at an offset. @param {string} text @param {number} offset */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Finds what the service refuses in a text that should be Base64; nothing in one
 * whose bytes it would decode.
 *
 * @param {string} text
 * @returns {{ wrong: string, offset?: number } | undefined}
 */
export function findBase64Error(text) {
  const digits = text.replaceAll(/[\t\n\f\r ]+/g, "").length;
  // Padding is right at the end of whole groups of four only.
  const body = digits % 4 === 0 ? text.replace(/(?:=\s*){1,2}$/, "") : text;
  // The alphabet is that of the first character that only one of them has.
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

/** The tokens of a JSON text that have a colour, in their order. @param {string} text */
export function* tokenize(text) {
  const tokens =
    /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|(-?\d[\d.eE+-]*)|true|false|null/g;
  for (
    const { 0: all, 1: string, 2: colon, 3: number, index: start } of text
      .matchAll(tokens)
  ) {
    const kind = colon
      ? "name"
      : string
      ? "string"
      : number
      ? "number"
      : "word";
    yield { kind, start, end: start + (string ?? all).length };
  }
}

/** Quotes a text for a POSIX shell. @param {string} text */
export function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes, in JSON, what nobody sees and what turns text around. @param {string} json */
export function escapeUnseen(json) {
  return json.replace(
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
