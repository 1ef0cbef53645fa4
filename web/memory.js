/**
 * The inputs that the browser keeps for a reload, until the tab is closed:
 * those of the tools that have one, so no password and no UUID.
 * @module
 */

import { STORAGE_KEY } from "./settings.js";
import { countBytes } from "./text.js";

/** Most bytes of all inputs in UTF-8; an input that has no room is not kept. */
const MAX_BYTES = 1_048_576;

/**
 * Returns the inputs by tool.
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
 * Keeps inputs instead of those before; empty ones are forgotten.
 * @param {Iterable<[tool: string, text: string]>} inputs The first are kept if
 * there is no room for all.
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
    // Without storage, a reload begins with empty inputs.
  }
}
