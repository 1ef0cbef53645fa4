/// <reference path="./types.d.ts" />

/** Repairs of texts that are nearly JSON, and names that an object has twice, without a page. */

/** White space, comments, strings of three kinds of quotes, brackets and separators, other words. */
const PARTS =
  /(\s+|\ufeff)|(\/\/.*|\/\*[^]*?\*\/|#.*)|("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$))|('[^'\\]*(?:\\[^][^'\\]*)*(?:'|\\?$)|‘[^’]*’|“[^”]*”)|([{}[\]:,])|([^\s{}[\]:,"'“‘#]+)/gy;

/** The beginning of an escape at the end of a string; escaped backslashes before it stay. */
const UNFINISHED_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/;

/** Longer texts are not repaired: each keystroke in them would wait for it. In UTF-16 code units. */
const MAX_LENGTH = 524_288;

/** Words of other languages, and what they are in JSON. */
const WORDS = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["NaN", "null"],
  ["undefined", "null"],
  ["Infinity", "null"],
  ["-Infinity", "null"],
]);

/** Values that JSON has beside strings. */
const VALUE =
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Offers repairs of a text that is not JSON. They are candidates: the service says which are valid.
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
  const inner = /^\s*[[{]\\?\s*\\"/.test(text) ? parse(`"${text.trim()}"`) : "";
  if (typeof inner === "string" && isJson(inner)) {
    return [{ ...UNWRAP, value: inner }];
  }
  const repaired = new Repair().run(text);
  return repaired ? [repaired] : [];
}

const UNWRAP = { says: "This is JSON inside a string.", label: "Unwrap" };

/** Offers the JSON that is inside a JSON string. @param {string} text @returns {Suggestion[]} */
export function findInner(text) {
  if (!/^\s*"\s*(?:\\[nrt]|\s)*[[{]/.test(text)) return [];
  const inner = parse(text);
  const isInner = typeof inner === "string" && isJson(inner);
  return isInner ? [{ ...UNWRAP, value: inner }] : [];
}

/** Reads a text part by part, and writes JSON. */
class Repair {
  /** @type {string[]} */
  #out = [];
  /** The brackets that are open: how each ends, and what comes next in it. @type {{ end: string, next: string }[]} */
  #open = [];
  /** What comes next outside of all brackets. */
  #next = "value";
  /** How many parts there are to the last place at which closing the brackets makes JSON. */
  #safe = 0;
  /** The part that is the last comma. */
  #comma = 0;
  #found = new Set();

  /** @param {string} text @returns {Suggestion | undefined} */
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

  /** @returns {Suggestion | undefined} */
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

  /** @param {string} words */
  #note(words) {
    this.#found.add(words);
    return true;
  }

  /** @param {string} text */
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

  /** @param {string} sign */
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

  /** @param {string | undefined} quoted @param {string | undefined} word @param {boolean} isForeign Whether the quotes are other ones. */
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

  /** A string of JSON. @param {string} quoted @param {boolean} isForeign */
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

/** The tokens of valid JSON that tell objects and names apart. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The first name that an object of a valid JSON text has twice, and its offset. @param {string} text */
export function findDuplicate(text) {
  /** The names of each open object; nothing for an array. @type {(Set<string> | undefined)[]} */
  const open = [];
  let isName = false;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const names = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token[0] === '"' && isName && names) {
      const name = token.includes("\\")
        ? String(parse(token))
        : token.slice(1, -1);
      if (names.has(name)) return { name, offset: index };
      names.add(name);
    }
    isName = token === "{" || token === "," && Boolean(names);
  }
}

/** @param {string} text @returns {unknown} The value, or nothing for what is not JSON. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

/** @param {string} text */
export function isJson(text) {
  return parse(text) !== undefined;
}
