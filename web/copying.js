/**
 * Copies results, single digests, single lines and API calls; downloads results
 * and the bodies of API calls. A button that has copied shows the label
 * “Copied” for a moment.
 * @module
 */

import { announce, write } from "./elements.js";
import { copy, download } from "./files.js";
import { findKind } from "./kinds.js";

/** Time from copying until `resetLabels()` is called, in milliseconds. */
const COPIED_MS = 1_500;

/** Longest text that is copied, in characters: copying more makes browsers hang. */
const MAX_COPIED = 16_000_000;

/**
 * The message for a text with a lone surrogate, which has no UTF-8 form:
 * copying or downloading would replace it.
 */
const HALF_OF_PAIR =
  "Half of a surrogate pair in it can’t be copied or downloaded.";

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
 * Downloads a text or bytes. Returns an empty string, or the message on a text
 * with a lone surrogate, which is not downloaded.
 * @param {string | Blob} content
 * @param {string} name
 */
export function downloadFrom(content, name) {
  const isComplete = typeof content !== "string" || content.isWellFormed();
  if (!isComplete) return HALF_OF_PAIR;
  download(content, name);
  return "";
}

/**
 * Copies a text. Returns the message on a failure, or an empty text.
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
  if (typeof content === "string" && !content.isWellFormed()) {
    return HALF_OF_PAIR;
  }
  if (await copy(content)) return "";
  return "The browser doesn’t let this page copy. Please download the result, " +
    "or select and copy it.";
}

/**
 * Downloads bytes as `decoded.EXTENSION`. Their first bytes tell the extension,
 * such as `png`; for an unknown kind of file it is `bin`.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function downloadBytes(bytes) {
  const { extension } = findKind(bytes) ?? { extension: "bin" };
  download(bytes, `decoded.${extension}`);
}

/**
 * Gives each copy button its usual label in place of “Copied”: its
 * `data-label`, or else “Copy”.
 * @param {HTMLElement} section
 */
export function resetLabels(section) {
  for (const button of section.querySelectorAll("button[name^=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    write(button, { label: dataset.label ?? "Copy" });
  }
}
