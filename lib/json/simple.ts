/**
 * Recognises JSON texts that cannot make `JSON.parse()` slow, whatever characters a client
 * has chosen for them.
 */

import { decodeUtf8 } from "./utf8.ts";

/**
 * Largest number of strings, including names of members, in a text that
 * `decodeSimpleJson()` accepts.
 */
const MAX_STRINGS = 32;

/**
 * Largest number of UTF-16 code units outside of strings in a text that
 * `decodeSimpleJson()` accepts.
 */
const MAX_OTHER_LENGTH = 1_024;

/**
 * Largest number of double quotes directly after a backslash in a text that
 * `decodeSimpleJson()` accepts.
 */
const MAX_ESCAPED = 1_024;

/**
 * Largest number of backslashes in a row before a double quote in a text that
 * `decodeSimpleJson()` accepts.
 */
const MAX_BACKSLASHES = 64;

/**
 * Length of the beginning of a text in which double quotes are counted before the whole
 * text is decoded, in bytes.
 */
const HEAD_BYTES = 4_096;

/**
 * Largest number of double quotes in the first 4,096 bytes of a text that
 * `decodeSimpleJson()` accepts.
 */
const MAX_HEAD_QUOTES = 64;

const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Decodes a text that has few strings and little else, such as an object with one large
 * string: `JSON.parse()` is fast for such a text. Whether the text is valid JSON is not
 * checked. Returns `undefined` for any other text, and for bytes that are not UTF-8.
 */
export function decodeSimpleJson(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  let quotes = 0;
  for (let at = -1; (at = head.indexOf(DOUBLE_QUOTE, at + 1)) !== -1;) {
    quotes += 1;
    if (quotes > MAX_HEAD_QUOTES) return undefined;
  }
  const text = decodeUtf8(bytes);
  return text !== undefined && isSimple(text) ? text : undefined;
}

/**
 * Whether a text has few strings, few characters outside of strings, and few escaped
 * quotes. Takes no longer than copying the text.
 */
function isSimple(text: string): boolean {
  let otherLength = 0;
  let escaped = 0;
  let at = 0;
  for (let strings = 0; strings <= MAX_STRINGS; strings += 1) {
    const start = text.indexOf('"', at);
    otherLength += (start === -1 ? text.length : start) - at;
    if (otherLength > MAX_OTHER_LENGTH) return false;
    if (start === -1) return true;
    let end = text.indexOf('"', start + 1);
    while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
      const count = countBackslashes(text, end);
      escaped += 1;
      if (escaped > MAX_ESCAPED || count > MAX_BACKSLASHES) return false;
      if (count % 2 === 0) break;
      end = text.indexOf('"', end + 1);
    }
    // A string without a closing quote extends to the end of the text, so nothing is left
    // to count.
    if (end === -1) return true;
    at = end + 1;
  }
  return false;
}

/** Counts the backslashes directly before an offset, up to `MAX_BACKSLASHES` + 1. */
function countBackslashes(text: string, at: number): number {
  let count = 0;
  while (
    count <= MAX_BACKSLASHES && text.charCodeAt(at - count - 1) === BACKSLASH
  ) {
    count += 1;
  }
  return count;
}
