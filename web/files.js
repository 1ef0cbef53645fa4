/**
 * Reads files as input, starts downloads, and writes to the clipboard.
 * @module
 */

import { create } from "./elements.js";
import { describeSize } from "./text.js";

/** Largest file whose text the editor shows, in bytes. */
const MAX_TEXT = 100_000_000;

/** The same for tools that accept the file itself as the input. */
const MAX_SMALL_TEXT = 1_048_576;

/**
 * Time after which the URL of a download is revoked, in milliseconds. Safari
 * reads it only after the user has permitted the download.
 */
const DOWNLOAD_MS = 60_000;

/**
 * Reads a file that was dropped, pasted, or opened. Returns its text, including a
 * byte order mark, or otherwise the problem. A file that is too large or isn't
 * UTF-8 is also returned itself, because it can still be used as bytes.
 * @param {readonly File[]} files With more than one, there is only a problem.
 * @param {boolean} acceptsAny Whether the input can be a file of any kind.
 * @returns {Promise<{ text?: string, file?: File, problem: string }>}
 */
export async function readFiles([file, secondFile], acceptsAny) {
  if (!file || secondFile) return { problem: "Drop one file at a time." };
  const { name, size } = file;
  const limit = acceptsAny ? MAX_SMALL_TEXT : MAX_TEXT;
  if (size > limit) {
    const problem =
      `“${name}” is ${describeSize(size)}. This page shows text files ` +
      `of up to ${describeSize(limit)}.`;
    return { file, problem };
  }
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return { problem: `“${name}” can’t be read.` };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(buffer);
    return { text, problem: text ? "" : `“${name}” is empty.` };
  } catch {
    return { file, problem: `“${name}” isn’t UTF-8 text.` };
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
 * Copies text. Returns whether the browser permitted the copying.
 * @param {string | Blob} content
 */
export async function copy(content) {
  // Undefined over plain HTTP.
  if (!navigator.clipboard) {
    const isText = typeof content === "string";
    return copyAsCommand(isText ? content : await content.text());
  }
  return await writeClipboard(content).then(() => true, () => false);
}

/**
 * Writes to the clipboard without waiting for the text of a blob, after which
 * Safari would reject the call.
 * @param {string | Blob} content
 */
async function writeClipboard(content) {
  const { clipboard } = navigator;
  if (typeof content === "string") return await clipboard.writeText(content);
  const type = "text/plain";
  const blob = content.slice(0, content.size, type);
  await clipboard.write([new ClipboardItem({ [type]: blob })]);
}

/**
 * Copies text with the command "copy". Its event receives the text, because
 * copying from a text field would change line endings and the focus. Returns
 * whether the browser permitted it.
 * @param {string} text
 */
function copyAsCommand(text) {
  let isCopied = false;
  const stop = new AbortController();
  // Without a selection, some browsers copy only if "beforecopy" is canceled.
  for (const type of ["beforecopy", "copy"]) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (!(event instanceof ClipboardEvent) || type !== "copy") return;
      event.clipboardData?.setData("text/plain", text);
      isCopied = true;
    }, { capture: true, signal: stop.signal });
  }
  const isDone = document.execCommand("copy");
  stop.abort();
  return isDone && isCopied;
}
