/**
 * Repairs JSON with errors such as comments and single quotes, if that preserves
 * its names, values, and structure.
 * @module
 */

/**
 * Longest text that is repaired, in UTF-16 code units: the package takes
 * quadratic time.
 */
const MAX_LENGTH = 100_000;

/** The names, each with its colon, and the values and brackets of valid JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{}]|[^\s"[\]{}:,]+/g;

/**
 * What may be around names, values and brackets: whitespace, punctuation, quotes
 * with and without a backslash, comments, the fence of a code block, and the
 * name of a function before its arguments.
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

/** Words of Python and JavaScript, and the words of JSON for them. */
const WORDS = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["undefined", "null"],
]);

/** Numbers of common programming languages, with their suffixes. */
const NUMBER =
  /^[-+]?(?:nan|inf(?:inity)?|0[xob][\da-f_]+n?|(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?[dflnu]{0,3})$/i;

/**
 * Loads the package, once.
 * @returns {Promise<typeof import("../tools/jsonrepair.js")>}
 */
export async function loadRepair() {
  return /** @type {any} */ (await import("./vendor/jsonrepair.js"));
}

/**
 * Returns the repaired text; undefined if it is beyond repair, if the repair
 * would change a name, a value or the structure, or if the text is longer than
 * `MAX_LENGTH`.
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
 * Whether a text has these tokens, in the same order, and nothing else but
 * `AROUND`. At its end, closing brackets may be missing, and anywhere a `null`.
 * @param {string} text
 * @param {readonly string[]} tokens Of the repaired text.
 */
function isKept(text, tokens) {
  let place = 0;
  for (const token of tokens) {
    const end = findEnd(text, place, token);
    const isAtEnd = () => [...listPlaces(text, place)].at(-1) === text.length;
    const isAdded = token === "null" || /^[\]}]$/.test(token) && isAtEnd();
    if (end === undefined && !isAdded) return false;
    place = end ?? place;
  }
  return [...listPlaces(text, place)].at(-1) === text.length;
}

/**
 * Returns the end of a token of the repaired text in the text before, if it is
 * the next one after `start`.
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
  for (const place of listPlaces(text, start)) {
    if (isString) {
      const isQuoted = /["'`´‘’“”]/.test(text.charAt(place - 1));
      const end = isFree || isQuoted
        ? matchString(text, place, string)
        : undefined;
      if (end !== undefined) return end;
    } else {
      const [word = ""] = /^\w*/.exec(text.slice(place, place + 10)) ?? [];
      if (WORDS.get(word) === token) return place + word.length;
      if (text.startsWith(token, place)) return place + token.length;
    }
  }
}

/**
 * Whether a string without quotes can be a name or a value, and is no code.
 * @param {string} string
 */
function isWord(string) {
  return /[\p{L}\p{N}]/u.test(string) && !/[()[\]{}<>"'`;]|:\s/.test(string);
}

/**
 * Returns the places before which only `AROUND` is since `start`.
 * @param {string} text
 * @param {number} start
 */
function* listPlaces(text, start) {
  for (let place = start;; place = AROUND.lastIndex) {
    yield place;
    AROUND.lastIndex = place;
    if (!AROUND.test(text)) return;
  }
}

/**
 * Returns the end of a string that is written at an offset of a text, each
 * character as it is or as an escape of JSON or JavaScript.
 * @param {string} text
 * @param {number} start
 * @param {string} string
 */
function matchString(text, start, string) {
  let place = start;
  for (let i = 0; i < string.length; i += 1) {
    ESCAPE.lastIndex = place;
    const [written = text[place] ?? "", escape = written, digits] =
      ESCAPE.exec(text) ?? [];
    const character = digits
      ? String.fromCharCode(parseInt(digits, 16))
      : written === escape
      ? escape
      : ESCAPED[escape] ?? escape;
    if (character !== string[i]) return;
    place += written.length;
  }
  return place;
}
