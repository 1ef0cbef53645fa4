/** The parts of the browser that the page uses. */

import { describeSize } from "./text.js";

/** Pause before an announcement, so that it does not interrupt typing, in milliseconds. */
const ANNOUNCE_MS = 1_000;

/**
 * Finds an element that the page is known to have.
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

/** A copy of a template's content. @param {string} name @returns {DocumentFragment} */
export function fromTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return document.importNode(content, true);
}

let announcing = /** @type {Timer} */ (undefined);

/** Announces the last of several messages to screen readers. @param {string} message */
export function announce(message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // The same words again would not be announced otherwise.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}

/** The text of one file, and the problem with it. @param {File[]} files @returns {Promise<{ text?: string, problem: string }>} */
export async function readFile([file, other]) {
  const limit = Number(find(document, "main").dataset.maxBodyBytes);
  if (!file || other) {
    return { problem: "is not the only one. Please drop one file." };
  }
  if (file.size > limit) {
    const sizes = [file.size, limit].map(describeSize);
    const words = sizes.join("; the service takes at most ");
    return { problem: `is too large: it has ${words} a request.` };
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(await file.arrayBuffer());
    return { text, problem: text ? "" : "is empty." };
  } catch {
    return { problem: "is not UTF-8 text, or cannot be read." };
  }
}

/** Saves a text as a file. @param {string} text @param {string} name */
export function save(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new File([text], name));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ANNOUNCE_MS);
}

/** Copies a text; returns whether the browser let it. @param {string} text */
export async function copy(text) {
  return await navigator.clipboard?.writeText(text)
    .then(() => true, () => false) ?? copyAsCommand(text);
}

// For pages over plain HTTP, which have no clipboard; through no element, which
// would change line ends and take the focus.
/** @param {string} text */
function copyAsCommand(text) {
  let isCopied = false;
  const stop = new AbortController();
  // With nothing selected the browser asks "beforecopy" first.
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
