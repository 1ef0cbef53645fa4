/// <reference path="./types.d.ts" />

/** Checks of JSON texts: validity, JSON inside a string, duplicate names. Uses no DOM. @module */

/** Offers to unwrap a JSON string that contains an object or an array. @param {string} text @returns {Suggestion[]} */
export function findInner(text) {
  return /^\s*"(?:\\[nrt]|\s)*[[{]/.test(text) ? unwrap(text) : [];
}

/** Offers the value of a JSON string as the new input, if that value is valid JSON itself. @param {string} text @returns {Suggestion[]} */
export function unwrap(text) {
  const value = parse(text);
  if (typeof value !== "string" || !isJson(value)) return [];
  return [{ says: "This is JSON inside a string.", label: "Unwrap", value }];
}

/** Strings, brackets and separators, enough to find the names in valid JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Returns the first duplicate name in an object of valid JSON, and its offset. @param {string} text */
export function findDuplicate(text) {
  /** The names in each open object; undefined for an open array. @type {(Set<string> | undefined)[]} */
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
