/**
 * Copying and downloading results, digests, lines and API calls. The label of
 * a button says when it has copied.
 * @module
 */

import { announce, write } from "./elements.js";
import { copy, download } from "./files.js";
import { findKind } from "./kinds.js";

/** Time for which a button says that it has copied, in milliseconds. */
const COPIED_MS = 1_500;

/** Longest text that is copied, in characters; longer ones stop browsers. */
const MAX_COPIED = 16_000_000;

/** The message for a text that copying or downloading would change. */
const HALF_OF_PAIR =
  "Half of a surrogate pair in it cannot be copied or downloaded.";

/**
 * Copies the content that a button stands beside: a digest, a line, or the API
 * call as code. Any other button copies the whole result.
 * @param {HTMLElement} section
 * @param {HTMLButtonElement} button
 * @param {string | Blob} result The whole result.
 */
export async function copyFrom(section, button, result) {
  const place = button.closest(".item, .digest, .api-call");
  const shown = place?.querySelector("code, pre")?.textContent;
  const problem = await copyText(shown ?? result);
  if (!problem) {
    write(button, { label: "Copied" });
    setTimeout(() => resetLabels(section), COPIED_MS);
  }
  write(section, { copied: problem });
  announce(problem || "Copied.", 0);
}

/**
 * Downloads a text or bytes. A text with half of a surrogate pair has no UTF-8
 * form: it is refused with a message.
 * @param {HTMLElement} section
 * @param {string | Blob} content
 * @param {string} name
 */
export function downloadFrom(section, content, name) {
  const isWhole = typeof content !== "string" || content.isWellFormed();
  if (isWhole) download(content, name);
  const problem = isWhole ? "" : HALF_OF_PAIR;
  write(section, { copied: problem });
  announce(problem, 0);
}

/**
 * Copies a text. Returns why that has failed, or an empty text.
 * @param {string | Blob} content A long text is a blob.
 */
async function copyText(content) {
  if (typeof content !== "string" && content.size > MAX_COPIED) {
    const limit = MAX_COPIED.toLocaleString("en");
    return `It has more than ${limit} characters, too many to be copied. ` +
      "Please download it.";
  }
  const text = typeof content === "string" ? content : await content.text();
  if (!text.isWellFormed()) return HALF_OF_PAIR;
  if (await copy(text)) return "";
  return "The browser does not let this page copy. Please select and copy it.";
}

/**
 * Downloads decoded bytes as a file with the extension of their kind.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function downloadBytes(bytes) {
  const { extension } = findKind(bytes) ?? { extension: "bin" };
  download(bytes, `decoded.${extension}`);
}

/**
 * Replaces the label "Copied" of buttons by their own.
 * @param {HTMLElement} section
 */
export function resetLabels(section) {
  for (const button of section.querySelectorAll("button[name=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    write(button, { label: dataset.label ?? "Copy" });
  }
}
