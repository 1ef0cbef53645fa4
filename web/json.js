/// <reference path="./types.d.ts" />

/** Checks JSON texts: whether they are valid, contain JSON inside a string, or have duplicate names. Uses no DOM. @module */

/** If a text is a JSON string that contains a JSON object or array, suggests the content as the new input. @param {string} text @returns {Suggestion[]} */
export function findInner(text) {
  return /^\s*"(?:\\[nrt]|\s)*[[{]/.test(text) ? unwrap(text) : [];
}

/** If a text is a JSON string whose value is itself valid JSON, suggests the value as the new input. @param {string} text @returns {Suggestion[]} */
export function unwrap(text) {
  const value = parse(text);
  if (typeof value !== "string" || !isJson(value)) return [];
  return [{ says: "This is JSON inside a string.", label: "Unwrap", value }];
}

/** Matches the strings, brackets, commas and colons of a JSON text. Other tokens are not needed to find the names. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Returns the first name that occurs twice in the same object, and the offset of its second occurrence, in UTF-16
 * code units. Returns undefined if there is none. The text must be valid JSON.
 * @param {string} text
 */
export function findDuplicate(text) {
  /**
   * The objects and arrays that are not closed yet, the outermost first. The entry of an object is the set of its names
   * found so far; the entry of an array is undefined.
   * @type {(Set<string> | undefined)[]}
   */
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

/** Returns the value of a JSON text, or undefined for invalid JSON. @param {string} text @returns {unknown} */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

/** Returns whether a text is valid JSON. @param {string} text */
export function isJson(text) {
  return parse(text) !== undefined;
}
