/** Helpers for the browser: elements, announcements, files, clipboard. */

import { recogniseBytes } from "./bytes.js";
import { describeLimit } from "./text.js";

/** Delay of announcements to screen readers, in milliseconds, so that they do not interrupt typing. */
const ANNOUNCE_MS = 1_000;

/**
 * Returns the first element inside `parent` that matches a selector. Throws an error if there is none.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} [type]
 * @returns {E}
 */
export function find(parent, selector, type) {
  const element = parent.querySelector(selector);
  if (element instanceof (type ?? HTMLElement)) {
    return /** @type {E} */ (element);
  }
  throw new Error(`the page has no ${selector}`);
}

/** Returns a copy of the content of the template with the class `name`. @param {string} name @returns {DocumentFragment} */
export function fromTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return document.importNode(content, true);
}

let announcing = /** @type {Timer} */ (undefined);

/** Announces a message to screen readers after a delay. During the delay, a newer message replaces it. @param {string} message */
export function announce(message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // Screen readers do not announce a text that replaces an equal text, so the old text is removed first.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}

/** Returns the maximum size of a request body that the service accepts, in bytes. */
export function readLimit() {
  return Number(find(document, "main").dataset.maxBodyBytes);
}

/** Reads a file as UTF-8 text. `problem` is empty, or says why the file cannot be used, for example because `files` has more than one file. @param {File[]} files @returns {Promise<{ text?: string, problem: string }>} */
export async function readFile([file, other]) {
  const limit = readLimit();
  if (!file || other) {
    return { problem: "is not the only one. Please drop one file." };
  }
  if (file.size > limit) {
    return { problem: `is too large: ${describeLimit(file.size, limit)}.` };
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return { problem: "cannot be read." };
  const bytes = new Uint8Array(buffer);
  try {
    const text = decoder.decode(bytes);
    return { text, problem: text ? "" : "is empty." };
  } catch {
    const { name } = recogniseBytes(bytes);
    const words = "and the service takes UTF-8 text only.";
    return { problem: `is not UTF-8 text: it is ${name}, ${words}` };
  }
}

/** Downloads text or bytes as a file. @param {BlobPart} content @param {string} name */
export function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new File([content], name));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ANNOUNCE_MS);
}

/** Copies text to the clipboard. Returns whether the browser permitted it. @param {string} text */
export async function copy(text) {
  return await navigator.clipboard?.writeText(text)
    .then(() => true, () => false) ?? copyAsCommand(text);
}

/**
 * Copies text by `document.execCommand("copy")`: pages over plain HTTP have no `navigator.clipboard`.
 * The text is set in the event "copy": selecting it in a temporary text field would change line endings and take the
 * focus.
 * @param {string} text
 */
function copyAsCommand(text) {
  let isCopied = false;
  const stop = new AbortController();
  // If no text is selected, some browsers permit the copy command only if "beforecopy" is cancelled.
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
