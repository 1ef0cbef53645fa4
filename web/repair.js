/**
 * Repairs JSON with errors such as comments and single quotes, if that preserves
 * its names, values, and structure.
 * @module
 */

/** Longest text that is repaired, in UTF-16 code units: the package takes quadratic time. */
const MAX_LENGTH = 100_000;

/** The names, each with its colon, and the values and brackets of valid JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{}]|[^\s"[\]{}:,]+/g;

/**
 * Matches what can surround names, values, and brackets: whitespace, punctuation,
 * quotes, comments, code fences, and names of functions.
 */
const AROUND = new RegExp(
  /\s+|\\+["'/]|```\w*|[:,;()"'`´‘’“”+.…]|/.source +
    /\/\*[^]*?(?:\*\/|$)|\/\/.*|[\w$.]+\s*(?=\()/.source,
  "y",
);

/** An escape: the character after the backslash, or its digits after `u`. */
const ESCAPE = /\\(["'`\\/bfnrt]|u([\da-fA-F]{4}))/y;

/** @type {Readonly<Record<string, string>>} */
const ESCAPED = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Keywords of JSON, by the keyword of Python or JavaScript. */
const KEYWORDS = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
]);

/** Numbers of common programming languages, with their suffixes. */
const NUMBER =
  /^[-+]?(?:nan|inf(?:inity)?|0[xob][\da-f_]+n?|(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?[dflnu]{0,3})$/i;

/** @returns {Promise<typeof import("../tools/jsonrepair.js")>} */
export async function loadRepair() {
  return /** @type {any} */ (await import("./vendor/jsonrepair.js"));
}

/**
 * Returns the repaired text, or undefined if it is too long, or if a repair is
 * impossible or would change a name, a value, or the structure.
 * @param {string} text
 */
export async function repair(text) {
  if (text.length > MAX_LENGTH) return;
  const { jsonrepair } = await loadRepair();
  try {
    const repaired = jsonrepair(text);
    const tokens = repaired.match(TOKENS) ?? [];
    // Prose would become a string.
    if (!/^[[{]/.test(tokens[0] ?? "")) return;
    if (isKept(text, tokens)) return repaired;
    // A list around several documents.
    const isList = tokens[0] === "[" && tokens.at(-1) === "]";
    return isList && isKept(text, tokens.slice(1, -1)) ? repaired : undefined;
  } catch {
    return;
  }
}

/**
 * Whether `text` has these tokens in the same order, and otherwise only `AROUND`.
 * Closing brackets at the end, and any `null`, can be missing.
 * @param {string} text
 * @param {readonly string[]} tokens Of the repaired text.
 */
function isKept(text, tokens) {
  let position = 0;
  for (const token of tokens) {
    const end = findEnd(text, position, token);
    const isAtEnd = () =>
      [...listPositions(text, position)].at(-1) === text.length;
    const isAdded = token === "null" || /^[\]}]$/.test(token) && isAtEnd();
    if (end === undefined && !isAdded) return false;
    position = end ?? position;
  }
  return [...listPositions(text, position)].at(-1) === text.length;
}

/**
 * Returns the end of a token of the repaired text if it is the next one in the
 * original text after `start`.
 * @param {string} text
 * @param {number} start
 * @param {string} token
 */
function findEnd(text, start, token) {
  const isString = token.startsWith('"');
  const string = isString ? JSON.parse(token.replace(/\s*:$/, "")) : "";
  // Names that are numbers become strings in every language.
  const isNumber = NUMBER.test(string) && !token.endsWith(":");
  const isFree = isWord(string) && !isNumber;
  for (const position of listPositions(text, start)) {
    if (isString) {
      const isQuoted = /["'`´‘’“”]/.test(text.charAt(position - 1));
      const end = isFree || isQuoted
        ? matchString(text, position, string)
        : undefined;
      if (end !== undefined) return end;
    } else {
      const [word = ""] = text.slice(position, position + 10).split(/\W/, 1);
      if (KEYWORDS.get(word) === token) return position + word.length;
      if (text.startsWith(token, position)) return position + token.length;
    }
  }
}

/**
 * Whether a string without quotes can be a name or a value, and isn't code.
 * @param {string} string
 */
function isWord(string) {
  return /[\p{L}\p{N}]/u.test(string) && !/[()[\]{}<>"'`;]|:\s/.test(string);
}

/**
 * Lists the positions that only `AROUND` separates from `start`.
 * @param {string} text
 * @param {number} start
 */
function* listPositions(text, start) {
  for (let position = start;; position = AROUND.lastIndex) {
    yield position;
    AROUND.lastIndex = position;
    if (!AROUND.test(text)) return;
  }
}

/**
 * Returns the end of a string in `text`, where it can have escapes of JSON or
 * JavaScript, or undefined if the text differs.
 * @param {string} text
 * @param {number} start
 * @param {string} string
 */
function matchString(text, start, string) {
  let position = start;
  for (let i = 0; i < string.length; i += 1) {
    ESCAPE.lastIndex = position;
    const [written = text[position] ?? "", escape = written, digits] =
      ESCAPE.exec(text) ?? [];
    const character = digits
      ? String.fromCharCode(parseInt(digits, 16))
      : written === escape
      ? escape
      : ESCAPED[escape] ?? escape;
    if (character !== string[i]) return;
    position += written.length;
  }
  return position;
}
