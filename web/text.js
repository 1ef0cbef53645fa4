/// <reference path="./types.d.ts" />

/**
 * Functions of texts: sizes, line ends, positions, lists of UUIDs, blocks of
 * JSON, Base64. Uses no DOM.
 * @module
 */

/** The line ends, by name. */
export const LINE_ENDS = new Map([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
]);

/**
 * Returns the size of a text in UTF-8.
 * @param {string} text
 */
export function countBytes(text) {
  return new TextEncoder().encode(text).length;
}

/**
 * Returns an exact size with its unit.
 * @param {number} bytes
 */
export function describeBytes(bytes) {
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/**
 * Returns a size with its unit: exact up to 10 KB, in KB or MB above.
 * @param {number} bytes
 */
export function describeSize(bytes) {
  if (bytes <= 10_000) return describeBytes(bytes);
  const [unit, count] = bytes < 999_500 ? ["KB", 1_000] : ["MB", 1_000_000];
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  return `${format.format(bytes / count)} ${unit}`;
}

/**
 * Says that a text is too large for a request. Sizes that are the same in KB
 * or MB are exact.
 * @param {number} size In bytes.
 * @param {number} limit In bytes.
 */
export function describeLimit(size, limit) {
  const isClose = describeSize(size) === describeSize(limit);
  const describe = isClose ? describeBytes : describeSize;
  return `it has ${describe(size)}, and the service takes at most ` +
    `${describe(limit)} a request`;
}

/**
 * Returns the name of the line ends in a text: `LF`, `CRLF`, `CR`, `mixed`, or
 * an empty text if it has one line.
 * @param {string} text
 */
export function nameLineEnds(text) {
  const found = [];
  if (/(?<!\r)\n/.test(text)) found.push("LF");
  if (text.includes("\r\n")) found.push("CRLF");
  if (/\r(?!\n)/.test(text)) found.push("CR");
  return found.length > 1 ? "mixed" : found[0] ?? "";
}

/**
 * Returns the place that an error of the service names, such as `at line 2,
 * column 5` or `at offset 12`, in UTF-16 code units, or undefined without one.
 * @param {string} message
 * @param {string} text The input.
 */
export function findPosition(message, text) {
  const [, line, column, offset] =
    /at (?:line (\d+), column (\d+)$|offset (\d+))/.exec(message) ?? [];
  if (offset) return Number(offset);
  if (!line) return;
  const end = /\r\n|\r|\n/g;
  for (let i = 1; i < Number(line); i += 1) {
    end.exec(text);
  }
  let place = end.lastIndex;
  for (let i = 1; i < Number(column); i += 1) {
    place += lengthAt(text, place);
  }
  return place;
}

/**
 * Replaces the offset in an error of the service by line and column.
 * @param {string} message
 * @param {string} text The input.
 */
export function namePlace(message, text) {
  const place = /at offset (\d+)(?=$| after .{1,8}$)/;
  return message.replace(place, (_place, offset) => {
    // Takes linear time: an alternative of fixed strings.
    const lines = text.slice(0, Number(offset)).split(/\r\n|\r|\n/);
    const column = [...lines.at(-1) ?? ""].length + 1;
    return `at line ${lines.length}, column ${column}`;
  });
}

/**
 * Returns the length of the character at an offset: 1 or 2 code units.
 * @param {string} text
 * @param {number} offset
 */
export function lengthAt(text, offset) {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Writes a list of UUIDs, one a line, in one of the forms of the page. Returns
 * the lines to show and the text to copy.
 * @param {string} text
 * @param {string} form `upper`, `bare`, `quoted`, `json`, or any other for the
 * lines as they are.
 */
export function formatList(text, form) {
  const lines = text.split("\n").map((line) => formatLine(line, form));
  if (form === "quoted") return { lines, text: lines.join(",\n") };
  if (form !== "json") return { lines, text: lines.join("\n") };
  if (lines.length === 1) {
    const array = `[${lines[0]}]`;
    return { lines: [array], text: array };
  }
  return { lines, text: `[\n  ${lines.join(",\n  ")}\n]` };
}

/**
 * Writes a line of a list in one of the forms of the page.
 * @param {string} line
 * @param {string} form
 */
function formatLine(line, form) {
  switch (form) {
    case "upper":
      return line.toUpperCase();
    case "bare":
      return line.replaceAll("-", "");
    case "quoted":
      return `'${line}'`;
    case "json":
      return JSON.stringify(line);
    default:
      return line;
  }
}

/**
 * Returns the ranges to fold in formatted JSON: the contents of the objects
 * and arrays that are directly in the outermost one.
 * @param {string} text
 */
export function findBlocks(text) {
  const indent = /\n( +)/.exec(text)?.[1] ?? "";
  const block = new RegExp(
    `(?<=\\n${indent}(?! ).*[[{])\\n[^]*?\\n${indent}(?=[\\]}])`,
    "g",
  );
  return Array.from(text.matchAll(block), ({ 0: { length }, index }) => {
    return { from: index, to: index + length };
  });
}

/**
 * Decodes Base64 of either alphabet; undefined if it is not valid.
 * @param {string} text
 */
export function decodeBase64(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i += 1) {
      bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
  } catch {
    return;
  }
}
