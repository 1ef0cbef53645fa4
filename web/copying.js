/**
 * Copies results, single digests, single lines and API calls. A button that has
 * copied shows the label “Copied” for a moment.
 * @module
 */

import { announce, write } from "./elements.js";
import { copy } from "./files.js";

/** Time from copying until `resetLabels()` is called, in milliseconds. */
const COPIED_MS = 1_500;

/** Longest text that is copied, in characters: copying more makes browsers hang. */
const MAX_COPIED = 16_000_000;

/**
 * Copies the digest, the line or the API call next to a button; any other button
 * copies the entire result. Returns why copying failed; an empty string if it
 * succeeded, which is announced.
 * @param {HTMLElement} section
 * @param {HTMLButtonElement} button
 * @param {string | Blob} result The whole result.
 */
export async function copyFrom(section, button, result) {
  const place = button.closest(".item, .digest, .api-call");
  const shown = place?.querySelector("code, pre")?.textContent;
  const problem = await copyText(shown ?? result);
  if (problem) return problem;
  write(button, { label: "Copied" });
  setTimeout(() => resetLabels(section), COPIED_MS);
  announce("Copied.", 0);
  return "";
}

/**
 * Copies text. Returns the message on a failure, or an empty string.
 * @param {string | Blob} content A blob has the Base64 or the data URL of a
 * file.
 */
async function copyText(content) {
  const length = content instanceof Blob ? content.size : content.length;
  if (length > MAX_COPIED) {
    const limit = MAX_COPIED.toLocaleString("en");
    return `It has more than ${limit} characters, too many to copy. ` +
      "Please download it.";
  }
  if (await copy(content)) return "";
  return "The browser doesn’t let this page copy. Please download the result, " +
    "or select and copy it.";
}

/**
 * Gives each copy button its usual label instead of “Copied”: its
 * `data-label`, or otherwise “Copy”.
 * @param {HTMLElement} section
 */
export function resetLabels(section) {
  for (const button of section.querySelectorAll("button[name^=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    write(button, { label: dataset.label ?? "Copy" });
  }
}
