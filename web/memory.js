/**
 * Keeps the input texts of the tools in the session storage, so that they
 * survive a reload of the page, and the end of a tab in the background of a
 * phone. Browsers also bring them back with a closed tab. Files, and results
 * such as generated passwords, are not kept.
 * @module
 */

import { pickTexts, readEntry, STORAGE_KEY } from "./settings.js";
import { countBytes } from "./text.js";

/** Largest size of all kept inputs together, in bytes of UTF-8. */
const MAX_BYTES = 1_048_576;

/**
 * Returns the kept inputs by tool; an empty object if none can be read.
 * @returns {Record<string, string>}
 */
export function readInputs() {
  return pickTexts(readEntry(() => sessionStorage));
}

/**
 * Stores inputs in place of those stored before. Empty inputs are left out.
 * @param {Iterable<[tool: string, text: string]>} inputs The most important
 * first: an input is left out if it would exceed `MAX_BYTES` together with the
 * inputs before it that are stored.
 */
export function storeInputs(inputs) {
  let room = MAX_BYTES;
  /** @type {[tool: string, text: string][]} */
  const kept = [];
  for (const [tool, text] of inputs) {
    // A text has at least as many bytes as UTF-16 code units.
    if (text === "" || text.length > room) continue;
    const size = countBytes(text);
    if (size > room) continue;
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
    // The storage is full or not permitted: the inputs are not kept.
  }
}
