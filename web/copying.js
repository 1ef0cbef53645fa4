/**
 * Copies results, digests, lines, and API calls. The button shows “Copied” for a
 * moment.
 * @module
 */

import { announce, setText } from "./elements.js";
import { copy } from "./files.js";

/** How long a button shows “Copied”, in milliseconds. */
const COPIED_MS = 1_500;

/** Longest text that is copied, in characters. Browsers hang on longer text. */
const MAX_COPIED = 16_000_000;

/**
 * Copies the digest, the line, or the API call next to a button, or otherwise the
 * entire result. Returns an error message, or an empty string on success.
 * @param {HTMLElement} section
 * @param {HTMLButtonElement} button
 * @param {string | Blob} result The entire result.
 */
export async function copyFrom(section, button, result) {
  const container = button.closest(".item, .digest, .api-call");
  const shown = container?.querySelector("code, pre")?.textContent;
  const problem = await copyText(shown ?? result);
  if (problem) return problem;
  setText(button, { label: "Copied" });
  setTimeout(() => resetLabels(section), COPIED_MS);
  announce("Copied.", 0);
  return "";
}

/**
 * @param {string | Blob} content
 * @returns An error message, or an empty string on success.
 */
async function copyText(content) {
  const length = content instanceof Blob ? content.size : content.length;
  if (length > MAX_COPIED) {
    const limit = MAX_COPIED.toLocaleString("en");
    return `The text is longer than ${limit} characters, which is too long ` +
      "to copy. Please download it instead.";
  }
  if (await copy(content)) return "";
  return "The browser doesn’t let this page copy text. Please download the " +
    "result, or select it and copy it yourself.";
}

/** @param {HTMLElement} section The copy buttons in it get their labels back. */
export function resetLabels(section) {
  for (const button of section.querySelectorAll("button[name^=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    setText(button, { label: dataset.label ?? "Copy" });
  }
}
