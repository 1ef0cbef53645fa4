/// <reference path="./types.d.ts" />

/** Repairs of common mistakes in JSON. Uses no DOM. */

import { isJson, unwrap } from "./json.js";

/**
 * Matches one token of a JSON text with mistakes. It has a group for each kind of token: white space, comment, string
 * in double quotes, string in single or curly quotes, punctuation, word.
 */
const PARTS =
  /(\s+|\ufeff)|(\/\/.*|\/\*[^]*?\*\/|#.*)|("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$))|('[^'\\]*(?:\\[^][^'\\]*)*(?:'|\\?$)|‘[^’]*’|“[^”]*”)|([{}[\]:,])|([^\s{}[\]:,"'“‘#]+)/gy;

/** Matches an incomplete escape sequence at the end of a string, such as `\u12`. The group matches escaped backslashes before it, which stay in the string. */
const UNFINISHED_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/;

/** Maximum length of a text to repair, in UTF-16 code units. The repair of a longer text would take so long that it delays typing. */
const MAX_LENGTH = 524_288;

/** Words of Python and JavaScript that are not valid in JSON, such as `True`, and their replacements. */
const WORDS = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["NaN", "null"],
  ["undefined", "null"],
  ["Infinity", "null"],
  ["-Infinity", "null"],
]);

/** Matches `true`, `false`, `null` and valid JSON numbers. */
const VALUE =
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Returns possible repairs of an invalid JSON text. The caller suggests only those that the service accepts as valid
 * JSON.
 * @param {string} text @returns {Suggestion[]}
 */
export function findRepairs(text) {
  if (text.length > MAX_LENGTH) return [];
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length > 1 && lines.every(isJson)) {
    return [{
      says: `This is JSON Lines: ${lines.length} texts, one a line.`,
      label: "Make it an array",
      value: `[\n${lines.join(",\n")}\n]\n`,
    }];
  }
  // Whether the text is the content of a JSON string without the quotes around it, such as {\"id\":1}.
  const isEscaped = /^\s*[[{]\\?\s*\\"/.test(text);
  const inner = isEscaped ? unwrap(`"${text.trim()}"`) : [];
  if (inner.length > 0) return inner;
  const repaired = new Repair().run(text);
  return repaired ? [repaired] : [];
}

/** Repairs one JSON text: reads it token by token, and writes an output without the mistakes. */
class Repair {
  /** Parts of the repaired text. @type {string[]} */
  #out = [];
  /**
   * The objects and arrays that are not closed yet, the outermost first. Each entry: the closing bracket, and the kind
   * of token expected next.
   * @type {{ end: string, next: string }[]}
   */
  #open = [];
  /** Kind of token expected outside of all objects and arrays: `value` at the start of the text, `end` after its value. */
  #next = "value";
  /** Number of parts of `#out`, from its start, that are kept if the end of the text is missing. Together with closing brackets they are valid JSON. */
  #safe = 0;
  /** Index of the last comma in `#out`. The comma is removed if a closing bracket follows. */
  #comma = 0;
  #found = new Set();

  /** Returns the repaired text as a suggestion, or undefined if the text cannot be repaired. @param {string} text @returns {Suggestion | undefined} */
  run(text) {
    PARTS.lastIndex = 0;
    let end = 0;
    for (const match of text.matchAll(PARTS)) {
      const [part, space, comment, string, quoted, sign, word] = match;
      end = match.index + part.length;
      const isTaken = space !== undefined
        ? this.#keep(space.replaceAll(/[^ \t\n\r]/g, " "))
        : comment !== undefined
        ? this.#note("comments")
        : sign !== undefined
        ? this.#takeSign(sign)
        : this.#takeValue(
          string === undefined ? quoted : string,
          word,
          string === undefined,
        );
      if (!isTaken) return;
    }
    return end === text.length ? this.#finish() : undefined;
  }

  /** Called at the end of the text: removes an unfinished last value, adds missing closing brackets and returns the suggestion. @returns {Suggestion | undefined} */
  #finish() {
    const isWhole = this.#open.length === 0 && this.#next === "end";
    if (!isWhole) {
      if (this.#safe === 0) return;
      const left = this.#out.splice(this.#safe).join("");
      const hasMore = /[^\s,]/.test(left);
      if (hasMore) this.#found.delete("no end");
      this.#note(hasMore ? "an unfinished end (it is left out)" : "no end");
      this.#out.push(this.#open.map(({ end }) => end).reverse().join(""));
    }
    if (this.#found.size === 0) return;
    const found = [...this.#found].join(", ").replace(/, ([^,]*)$/, " and $1");
    const says = `It has ${found}.`;
    return { says, label: "Repair", value: this.#out.join("") };
  }

  /** Records a kind of mistake for the message of the suggestion. Always returns true: the token is accepted. @param {string} words */
  #note(words) {
    this.#found.add(words);
    return true;
  }

  /** Adds a text to the output. Always returns true: the token is accepted. @param {string} text */
  #keep(text) {
    this.#out.push(text);
    return true;
  }

  get #state() {
    return this.#open.at(-1)?.next ?? this.#next;
  }

  set #state(next) {
    const top = this.#open.at(-1);
    if (top) top.next = next;
    else this.#next = next;
  }

  /** Adds a bracket, comma or colon to the output. Returns false if it cannot follow the previous token. @param {string} sign */
  #takeSign(sign) {
    const top = this.#open.at(-1);
    if (sign === "{" || sign === "[") {
      if (!/value|first/.test(this.#state)) return false;
      const isObject = sign === "{";
      this.#keep(sign);
      this.#open.push(
        isObject ? { end: "}", next: "name" } : { end: "]", next: "first" },
      );
      return this.#setSafe();
    }
    if (sign === ":") {
      if (this.#state !== "colon") return false;
      this.#state = "value";
      return this.#keep(sign);
    }
    if (sign === ",") {
      if (this.#state !== "comma") return false;
      this.#state = top?.end === "}" ? "next name" : "next value";
      this.#comma = this.#out.length;
      return this.#keep(sign);
    }
    if (!top || top.end !== sign || /colon|^value/.test(top.next)) return false;
    if (top.next.startsWith("next")) {
      this.#note("trailing commas");
      this.#out[this.#comma] = "";
    }
    this.#keep(sign);
    this.#open.pop();
    return this.#endValue();
  }

  /**
   * Adds a name or a value to the output. Returns false if it cannot follow the previous token, or if it is a word
   * without an equivalent in JSON.
   * @param {string | undefined} quoted The name or value, if it has quotes.
   * @param {string | undefined} word The name or value, if it has no quotes.
   * @param {boolean} isForeign Whether the quotes are single or curly.
   */
  #takeValue(quoted, word, isForeign) {
    const isName = this.#state.endsWith("name");
    if (!isName && !/value|first/.test(this.#state)) return false;
    let json = word ?? "";
    if (quoted !== undefined) json = this.#quote(quoted, isForeign);
    else if (isName) {
      if (!/^[\w$.-]+$/u.test(json)) return false;
      this.#note("unquoted names");
      json = JSON.stringify(json);
    } else if (WORDS.has(json)) {
      const value = WORDS.get(json) ?? "";
      const isLoss = value === "null" && json !== "None";
      this.#note(isLoss ? `${json} (it becomes null)` : json);
      json = value;
    } else if (!VALUE.test(json)) return false;
    this.#keep(json);
    if (!isName) return this.#endValue();
    this.#state = "colon";
    return true;
  }

  /** Converts a string in double, single or curly quotes to a JSON string. @param {string} quoted @param {boolean} isForeign Whether the quotes are single or curly. */
  #quote(quoted, isForeign) {
    const isClosed = quoted.length > 1 && /["'’”]$/.test(quoted) &&
      !/(?<!\\)(?:\\\\)*\\.$/.test(quoted);
    let inner = isClosed ? quoted.slice(1, -1) : quoted.slice(1);
    if (!isClosed) {
      inner = inner.replace(UNFINISHED_ESCAPE, "$1");
      this.#note("no end");
    }
    if (isForeign) {
      this.#note(quoted[0] === "'" ? "single quotes" : "curly quotes");
      inner = inner.replace(
        /\\[^]|"/g,
        (part) => part === '"' ? '\\"' : part === "\\'" ? "'" : part,
      );
    }
    const whole = inner.replace(/\p{Cc}/gu, (control) => {
      if (control >= " ") return control;
      this.#note("line breaks or tabs in strings");
      return JSON.stringify(control).slice(1, -1);
    });
    return `"${whole}"`;
  }

  #endValue() {
    this.#state = this.#open.length > 0 ? "comma" : "end";
    return this.#setSafe();
  }

  #setSafe() {
    this.#safe = this.#out.length;
    return true;
  }
}
