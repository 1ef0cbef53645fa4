/**
 * Keeps the inputs of the tools for a reload of the page, until the tab is
 * closed. Results are not kept, so no password is.
 * @module
 */

import { STORAGE_KEY } from "./settings.js";
import { countBytes } from "./text.js";

/** Largest size of all kept inputs together, in bytes of UTF-8. */
const MAX_BYTES = 1_048_576;

/**
 * Returns the kept inputs by tool.
 * @returns {Record<string, string>}
 */
export function readInputs() {
  try {
    return Object(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/**
 * Keeps inputs in place of those from before.
 * @param {Iterable<[tool: string, text: string]>} inputs The most important
 * first: one that does not fit beside those before it is not kept.
 */
export function storeInputs(inputs) {
  let room = MAX_BYTES;
  /** @type {[tool: string, text: string][]} */
  const kept = [];
  for (const [tool, text] of inputs) {
    const size = countBytes(text);
    if (size === 0 || size > room) continue;
    kept.push([tool, text]);
    room -= size;
  }
  try {
    if (kept.length === 0) sessionStorage.removeItem(STORAGE_KEY);
    else {
      const json = JSON.stringify(Object.fromEntries(kept));
      sessionStorage.setItem(STORAGE_KEY, json);
    }
  } catch {
    // If the browser does not permit storage, a reload begins with empty inputs.
  }
}
