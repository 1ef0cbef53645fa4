/// <reference path="./types.d.ts" />

/**
 * Suggests changes of an input, such as decoding it, and uses of a result, such as
 * opening it in another tool.
 * @module
 */

import { decodeBase64 } from "./text.js";

const DATA_URL = /^\s*data:[^,]*;base64,/i;

/** Text in quotes, without quotes inside, and a comma or semicolon after it. */
const QUOTED = /^\s*(["'`])([^"'`]*)\1[,;]?\s*$/;

/**
 * The parts of a JSON Web Token, possibly after `Authorization:` and `Bearer`.
 * The expression takes linear time: it is anchored, and no repeated part matches
 * the character after it.
 */
const TOKEN = new RegExp(
  String.raw`^\s*(?:authorization:\s*)?(?:bearer\s+)?` +
    String.raw`([\w-]+)\.([\w-]+)(?:\.[\w-]*)?\s*$`,
  "i",
);

/** Length of the shortest string that is recognized as Base64, without whitespace. */
const MIN_BASE64_LENGTH = 8;

/** Number of characters of Base64 that are decoded to check it. */
const MAX_CHECKED_LENGTH = 4_096;

/**
 * Longest text that is searched for duplicate names, in UTF-16 code units: the
 * search is slower than the formatting.
 */
const MAX_SEARCHED = 4_000_000;

/** Most UTF-16 code units of a duplicate name that a message shows. */
const MAX_NAME = 40;

/**
 * Returns the header and payload of a JSON Web Token, in Base64, or undefined if
 * the header isn't a JSON object.
 * @param {string} text
 */
export function parseToken(text) {
  const [, header = "", payload = ""] = TOKEN.exec(unquote(text)) ?? [];
  const bytes = header && decodeBase64(header);
  const value = bytes && parse(new TextDecoder().decode(bytes));
  const isObject = typeof value === "object" && !Array.isArray(value);
  return value && isObject ? [header, payload] : undefined;
}

/** @param {string} text Returned without the quotes around it, if any. */
function unquote(text) {
  return QUOTED.exec(text)?.[2] ?? text;
}

/**
 * @param {string} tool
 * @param {Values} values
 * @param {{ result?: string, error?: CallError | undefined,
 *   repaired?: string | undefined }} outcome
 * The result, if it is text, or the error, and the repaired input.
 * @returns {Suggestion[]}
 */
export function suggest(tool, { input = "", action }, outcome) {
  const { result = "", error, repaired } = outcome;
  /** @type {Suggestion[]} */
  const found = [];
  if (input.startsWith("\ufeff")) {
    const message = "The text starts with a byte order mark (BOM).";
    found.push({ message, label: "Remove it", value: input.slice(1) });
  }
  if (tool === "base64" && action === "encode") {
    found.push(...findEncoding(input));
  }
  if (tool === "base64" && action === "decode") {
    found.push(...findContent(input), ...findJson(input, result));
  }
  if (tool === "json") {
    const isSearched = !error && input.length <= MAX_SEARCHED;
    found.push(...isSearched ? findDuplicate(input) : [], ...findInner(input));
  }
  if (repaired !== undefined && found.length === 0) {
    found.push({ message: "", label: "Repair", value: repaired });
  }
  const { offset } = error ?? {};
  if (offset === undefined) return found;
  return [{ message: "", label: "Show", offset }, ...found];
}

/**
 * Suggests decoding a data URL, a JSON Web Token, or Base64, possibly in quotes.
 * @param {string} input
 */
function findEncoding(input) {
  const action = { label: "Decode it", to: "decode" };
  const [prefix] = DATA_URL.exec(input) ?? [];
  if (prefix) {
    const value = input.slice(prefix.length);
    return [{ message: "This looks like a data URL.", value, ...action }];
  }
  if (parseToken(input)) {
    const message = "This looks like a JSON Web Token.";
    return [{ message, value: input, ...action }];
  }
  const value = unquote(input);
  if (!isEncodedText(value)) return [];
  return [{ message: "This looks like Base64.", value, ...action }];
}

/**
 * Whether `text` looks like Base64, and its start decodes to UTF-8 text
 * without control characters other than tab, LF and CR.
 * @param {string} text
 */
function isEncodedText(text) {
  if (!/^[\w+/\s-]*[\w+/-]=*\s*$/.test(text)) return false;
  const isLong = text.length > MAX_CHECKED_LENGTH;
  const start = text.slice(0, MAX_CHECKED_LENGTH).replaceAll(/\s/g, "");
  if (start.length < MIN_BASE64_LENGTH) return false;
  // Omits a group of four characters that `slice()` has divided.
  const end = isLong ? start.length - start.length % 4 : start.length;
  const bytes = decodeBase64(start.slice(0, end));
  const decoded = new TextDecoder().decode(bytes, { stream: isLong });
  return decoded !== "" && !/(?![\t\n\r])\p{Cc}|\ufffd/u.test(decoded);
}

/**
 * Suggests replacing a data URL, or Base64 in quotes, with the Base64.
 * @param {string} input
 */
function findContent(input) {
  const [start] = DATA_URL.exec(input) ?? [];
  const value = start ? input.slice(start.length) : unquote(input);
  if (value === input || parseToken(input)) return [];
  const message = `The input is ${start ? "a data URL" : "in quotes"}.`;
  return [{ message, label: "Decode the contents", value }];
}

/**
 * Suggests opening a decoded object, array, or payload of a token in JSON.
 * @param {string} input
 * @param {string} result
 */
function findJson(input, result) {
  if (result && parseToken(input)) {
    const message =
      "This is a JSON Web Token. The result shows its header and " +
      "payload on separate lines. The signature isn’t checked.";
    const value = result.slice(result.indexOf("\n") + 1);
    return [{ message, label: "Open the payload in JSON", value, to: "json" }];
  }
  if (!/^\s*[[{]/.test(result) || parse(result) === undefined) return [];
  const message = "The result is JSON.";
  return [{ message, label: "Open in JSON", value: result, to: "json" }];
}

/**
 * Suggests replacing a JSON string with the object or array in it. The quotes
 * around it can be missing, as in `{\"id\":1}`, and its newlines can be
 * unescaped.
 * @param {string} text
 */
export function findInner(text) {
  // Both expressions take linear time: they are anchored, and no repeated part
  // matches the character after it.
  const isBare = /^\s*[[{](?:\\[nrt]|[\s[{])*\\"/.test(text);
  if (!isBare && !/^\s*"(?:\\[nrt]|\s)*[[{]/.test(text)) return [];
  const string = isBare ? `"${text.trim()}"` : text.trim();
  const value = parse(string.replaceAll(/[\t\n\r]/g, escapeControl));
  if (typeof value !== "string" || parse(value) === undefined) return [];
  return [{ message: "This is JSON inside a string.", label: "Unwrap", value }];
}

/** @param {string} character A control character. */
function escapeControl(character) {
  return JSON.stringify(character).slice(1, -1);
}

/**
 * Finds the first name that an object of valid JSON contains more than once.
 * @param {string} text
 */
export function findDuplicate(text) {
  /** The names so far in each open object; undefined for an array. */
  const open = /** @type {(Set<unknown> | undefined)[]} */ ([]);
  let isName = false;
  for (const { token, offset } of listTokens(text)) {
    const names = open.at(-1);
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : undefined);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (isName && names) {
      const name = String(parse(token));
      if (names.has(name)) {
        const message =
          `An object contains the name “${name.slice(0, MAX_NAME)}” ` +
          "more than once. Most programs use only the last value.";
        return [{ message, label: "Show", offset }];
      }
      names.add(name);
    }
    isName = token === "{" || token === "," && Boolean(names);
  }
  return [];
}

/**
 * Lists the strings and the punctuation of valid JSON. An expression that matches
 * entire strings would overflow the stack.
 * @param {string} text
 */
function* listTokens(text) {
  let start = -1;
  for (const { 0: token, index } of text.matchAll(/\\.|["{}[\],]/g)) {
    if (token === '"') {
      const isEnd = start >= 0;
      if (isEnd) yield { token: text.slice(start, index + 1), offset: start };
      start = isEnd ? -1 : index;
    } else if (start < 0) {
      yield { token, offset: index };
    }
  }
}

/** @param {string} text If it is not JSON, undefined is returned. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}
