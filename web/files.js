/**
 * Reading files, downloading, and writing to the clipboard.
 * @module
 */

import { create } from "./elements.js";
import { describeLimit } from "./text.js";

/**
 * Time after which a browser has started a download, so that its URL can go, in
 * milliseconds.
 */
const DOWNLOAD_MS = 1_000;

/**
 * Reads a file as UTF-8 text. `problem` says why that has failed, or is empty;
 * `file` is a file that could be used otherwise than as a text.
 * @param {File[]} files Must be one.
 * @param {number} limit Largest size, in bytes.
 * @returns {Promise<{ text?: string, file?: File, problem: string }>}
 */
export async function readFile([file, other], limit) {
  if (!file || other) {
    return { problem: "Drop one file at a time." };
  }
  const { name, size } = file;
  if (size > limit) {
    const words = describeLimit(size, limit);
    return { file, problem: `“${name}” is too large: ${words}.` };
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return { problem: `“${name}” cannot be read.` };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(buffer);
    return { text, problem: text ? "" : `“${name}” is empty.` };
  } catch {
    const words = "is not UTF-8 text, and the service takes no other";
    return { file, problem: `“${name}” ${words}.` };
  }
}

/**
 * @param {BlobPart} content
 * @param {string} name Name of the file.
 */
export function download(content, name) {
  const href = URL.createObjectURL(new File([content], name));
  create("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_MS);
}

/**
 * Copies a text. Returns whether the browser permitted it.
 * @param {string} text
 */
export async function copy(text) {
  // A page over plain HTTP has no `clipboard`, but it can run the command "copy".
  if (!navigator.clipboard) return copyAsCommand(text);
  return await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/**
 * Copies by the command "copy", in whose event the text is set: to copy from a
 * text field would change line ends and move the focus.
 * @param {string} text
 */
function copyAsCommand(text) {
  let isCopied = false;
  const stop = new AbortController();
  const { signal } = stop;
  // Without a selection, some browsers copy only if "beforecopy" is cancelled.
  for (const type of ["beforecopy", "copy"]) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (!(event instanceof ClipboardEvent) || type !== "copy") return;
      event.clipboardData?.setData("text/plain", text);
      isCopied = true;
    }, { capture: true, signal });
  }
  const isDone = document.execCommand("copy");
  stop.abort();
  return isDone && isCopied;
}
