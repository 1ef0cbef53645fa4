/**
 * Copies and downloads: what the buttons of results, digests, lines and the
 * API call give. Their labels say when they have copied.
 * @module
 */

import { announce, write } from "./elements.js";
import { copy, download } from "./files.js";
import { findKind } from "./kinds.js";

/** Time for which a button says that it has copied, in milliseconds. */
const COPIED_MS = 1_500;

/** Longest text that is copied, in characters; longer ones stop browsers. */
const MAX_COPIED = 16_000_000;

/** Why a text cannot be copied or downloaded, which would change it. */
const HALF_OF_PAIR =
  "Half of a surrogate pair in it cannot be copied or downloaded.";

/**
 * Copies what a button belongs to: a digest, a line, the API call as code, or
 * else the whole result.
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
 * Downloads a text, if its characters can be encoded, or bytes.
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
 * Copies a text; that of a blob is too long to be shown. Returns why it could
 * not be, or an empty text.
 * @param {string | Blob} content
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
 * Downloads decoded bytes; the extension is that of their kind.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function downloadBytes(bytes) {
  const { extension } = findKind(bytes) ?? { extension: "bin" };
  download(bytes, `decoded.${extension}`);
}

/**
 * Gives the buttons that have copied their labels again.
 * @param {HTMLElement} section
 */
export function resetLabels(section) {
  for (const button of section.querySelectorAll("button[name=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    write(button, { label: dataset.label ?? "Copy" });
  }
}
