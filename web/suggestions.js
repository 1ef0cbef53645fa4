/**
 * Suggests changes of an input, such as decoding it instead of encoding it, and
 * uses of a result, such as opening it in another tool. Uses no DOM.
 * @module
 */

import { decodeBase64 } from "./text.js";
import { splitToken } from "./tools.js";
import { decodeUtf16, restorePlus, unwrap } from "./wrapped.js";

const DATA_URL = /^\s*data:[^,]*;base64,/i;

/**
 * Length of the shortest text that is taken for Base64, in characters other
 * than white space.
 */
const MIN_BASE64_LENGTH = 8;

/**
 * Length of the start of Base64 that is decoded to check its content, in
 * characters.
 */
const MAX_CHECKED_LENGTH = 4_096;

/**
 * Longest text in which duplicate names and combining characters are searched,
 * in UTF-16 code units: a longer one would block the page.
 */
const MAX_SEARCHED = 4_000_000;

/** Most UTF-16 code units of a duplicate name that a message shows. */
const MAX_NAME = 40;

/**
 * Returns the suggestions for the input and the outcome of a call.
 * @param {string} tool
 * @param {Values} values
 * @param {Outcome} outcome
 * @returns {Suggestion[]}
 */
export function suggest(tool, { input = "", action }, outcome) {
  const found = [];
  if (input.startsWith("\ufeff")) {
    const says = "The text begins with a byte order mark (BOM).";
    found.push({ says, label: "Remove it", value: input.slice(1) });
  }
  if (action !== "decode") found.push(...findMarks(input));
  if (action === "encode") found.push(...findEncoding(input));
  if (action === "decode") {
    found.push(...findContent(input), ...findWrapped(input));
    found.push(...findUtf16(outcome), ...findJson(outcome));
  }
  if (tool !== "json") return found;
  const isChecked = !outcome.wrong && input.length <= MAX_SEARCHED;
  const twice = isChecked ? findDuplicate(input) : [];
  return [...found, ...twice, ...findInner(input)];
}

/**
 * Suggests to compose characters that are written as a letter and a combining
 * mark: the text looks like another one with other bytes.
 * @param {string} input
 */
function findMarks(input) {
  const mark = /\p{M}/u.exec(input.slice(0, MAX_SEARCHED))?.[0];
  const value = mark && input.normalize("NFC");
  if (!value || value.length >= input.length) return [];
  const code = mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const says = `The text has combining characters, such as U+${code}: it ` +
    "differs from a text with whole letters that looks the same.";
  return [{ says, label: "Use whole letters", value }];
}

/**
 * Suggests to decode an input that seems to be Base64, a data URL or a JSON Web
 * Token.
 * @param {string} input
 */
function findEncoding(input) {
  const label = "Decode it";
  const to = "decode";
  const [prefix] = DATA_URL.exec(input) ?? [];
  if (prefix) {
    const value = input.slice(prefix.length);
    return [{ says: "This looks like a data URL.", label, value, to }];
  }
  if (splitToken(input)) {
    const says = "This looks like a JSON Web Token.";
    return [{ says, label, value: input, to }];
  }
  const { base64, around } = unwrap(input) ?? { base64: input, around: "" };
  if (isEncodedText(base64)) {
    const says = `This looks like ${`Base64 ${around}`.trim()}.`;
    return [{ says, label, value: base64, to }];
  }
  return [];
}

/**
 * Whether a text looks like Base64, and its start decodes to UTF-8 text
 * without control characters other than tab, LF and CR.
 * @param {string} text
 */
function isEncodedText(text) {
  if (!/^[\w+/\s-]*[\w+/-]=*\s*$/.test(text)) return false;
  const isLong = text.length > MAX_CHECKED_LENGTH;
  const start = text.slice(0, MAX_CHECKED_LENGTH).replaceAll(/\s/g, "");
  if (start.length < MIN_BASE64_LENGTH) return false;
  // Leaves out a last group of four characters that `slice()` has divided.
  const whole = isLong
    ? start.slice(0, start.length - start.length % 4)
    : start;
  const bytes = decodeBase64(whole);
  const decoded = new TextDecoder().decode(bytes, { stream: isLong });
  return decoded !== "" && !/(?![\t\n\r])\p{Cc}|\ufffd/u.test(decoded);
}

/**
 * Suggests to replace a data URL by the Base64 in it.
 * @param {string} input
 */
function findContent(input) {
  const [start] = DATA_URL.exec(input) ?? [];
  if (!start) return [];
  const value = input.slice(start.length);
  return [{ says: "This is a data URL.", label: "Decode its content", value }];
}

/**
 * Suggests to replace a text by Base64 that the text contains in quotes, in a
 * header of Basic authentication, percent-encoded, or with spaces in place of
 * plus signs.
 * @param {string} input
 */
function findWrapped(input) {
  const label = "Decode the Base64";
  const value = restorePlus(input);
  if (value !== undefined) {
    const says = "This looks like Base64 with spaces in place of plus signs.";
    return [{ says, label, value }];
  }
  const wrapped = unwrap(input);
  if (!wrapped) return [];
  const says = `This looks like Base64 ${wrapped.around}.`;
  return [{ says, label, value: wrapped.base64 }];
}

/**
 * Suggests to show decoded bytes as UTF-16 text, if they seem to be such text.
 * @param {Outcome} outcome
 */
function findUtf16({ result = "", bytes }) {
  const isPossible = bytes !== undefined || result.includes("\0");
  const text = isPossible
    ? decodeUtf16(bytes ?? new TextEncoder().encode(result))
    : undefined;
  if (text === undefined) return [];
  const says = "This looks like UTF-16, in which PowerShell’s " +
    "-EncodedCommand has its text.";
  return [{ says, label: "Show the text", result: text }];
}

/**
 * Suggests to open a decoded object, array, or payload of a JSON Web Token in
 * the tool JSON.
 * @param {Outcome} outcome
 */
function findJson({ result = "", parts }) {
  if (parts) {
    const says = "This is a JSON Web Token: its header and its payload, one " +
      "a line. Its signature is not checked.";
    const label = "Open the payload in JSON";
    return [{ says, label, value: parts[1] ?? "", to: "json" }];
  }
  if (!/^\s*[[{]/.test(result) || parse(result) === undefined) return [];
  const says = "The result is JSON.";
  return [{ says, label: "Open in JSON", value: result, to: "json" }];
}

/**
 * Suggests to replace a JSON string by the object or array that is written in
 * it. The quotes around the string may be missing, as in `{\"id\":1}`, and
 * logs may break its lines or escape its line ends, as in `{\n\t\"id\":1}`.
 * @param {string} text
 */
export function findInner(text) {
  // Both expressions take linear time: they are anchored, and no repeated part
  // matches the character after it.
  const isBare = /^\s*[[{](?:\\[nrt]|[\s[{])*\\"/.test(text);
  if (!isBare && !/^\s*"(?:\\[nrt]|\s)*[[{]/.test(text)) return [];
  const string = isBare ? `"${text.trim()}"` : text.trim();
  const value = parse(string.replaceAll(/[\t\n\r]/g, writeEscape));
  if (typeof value !== "string" || parse(value) === undefined) return [];
  return [{ says: "This is JSON inside a string.", label: "Unwrap", value }];
}

/** @param {string} character A control character. */
function writeEscape(character) {
  return JSON.stringify(character).slice(1, -1);
}

/**
 * Finds the first name that an object of valid JSON has twice, and suggests to
 * show the second place of the name.
 * @param {string} text
 */
export function findDuplicate(text) {
  /**
   * Names so far in each open object, outermost first; undefined for an array.
   */
  const open = /** @type {(Set<unknown> | undefined)[]} */ ([]);
  let isName = false;
  for (const { token, offset } of listTokens(text)) {
    const names = open.at(-1);
    if (token === "{") {
      open.push(new Set());
    } else if (token === "[") {
      open.push(undefined);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (isName && names) {
      const name = String(parse(token));
      if (names.has(name)) {
        const says = `An object has the name “${name.slice(0, MAX_NAME)}” ` +
          "twice, and most programs take the last one.";
        return [{ says, label: "Show", offset }];
      }
      names.add(name);
    }
    isName = token === "{" || token === "," && Boolean(names);
  }
  return [];
}

/**
 * Lists the strings and the punctuation of valid JSON. An expression that
 * matches whole strings would overflow the stack on one of several MB.
 * @param {string} text
 */
function* listTokens(text) {
  const start = /["{}[\],]/g;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const { 0: first, index: offset } = found;
    if (first === '"') start.lastIndex = findEnd(text, offset);
    yield { token: text.slice(offset, start.lastIndex), offset };
  }
}

/**
 * Returns the end of a string of valid JSON, after its closing quote.
 * @param {string} text
 * @param {number} start The place of the opening quote.
 */
function findEnd(text, start) {
  let end = start;
  let backslashes = 0;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
  } while (backslashes % 2 === 1);
  return end + 1;
}

/** @param {string} text If it is not JSON, undefined is returned. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}
