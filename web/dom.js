/// <reference path="./types.d.ts" />

/** The parts of the browser that the page uses. */

import { describeSize } from "./text.js";

/** Time that a button says "Copied", in milliseconds. */
const COPIED_MS = 1_500;

/** Pause before an announcement, so that it does not interrupt typing, in milliseconds. */
const ANNOUNCE_MS = 1_000;

/**
 * Finds an element that the page is known to have.
 *
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

/** A copy of the first element in a template. @param {string} name @returns {HTMLElement} */
export function fromTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return find(document.importNode(content, true), "*");
}

/**
 * The text of one file, or the reason why it cannot be used.
 *
 * @param {File[]} files
 * @param {{ isFolder: boolean, maxBytes: number }} options
 * @returns {Promise<{ text?: string, problem?: string }>}
 */
export async function readFile([file, ...others], { isFolder, maxBytes }) {
  if (!file || isFolder) return { problem: "is a folder." };
  if (others.length > 0) {
    return { problem: "is not the only one. Please drop one file." };
  }
  if (file.size > maxBytes) {
    const [size, limit] = [file.size, maxBytes].map(describeSize);
    return {
      problem:
        `is too large: it has ${size}; the service takes at most ${limit} a request.`,
    };
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return await file.arrayBuffer().then(
    (bytes) => ({ text: decoder.decode(bytes) }),
  ).catch(() => ({ problem: "is not UTF-8 text, or cannot be read." }));
}

/** Turns a control on, or off without taking the focus from it. @param {Element} control @param {boolean} isOn */
export function turn(control, isOn) {
  control.setAttribute("aria-disabled", String(!isOn));
}

/** Ignores clicks on controls that are off. */
export function refuseDisabledClicks() {
  addEventListener("click", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("[aria-disabled=true]")) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let announcing;

/** Announces the last of several messages to screen readers. @param {string} message */
export function announce(message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // The same words again would not be announced otherwise.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}

/**
 * Lets a button copy a text, or report why it cannot.
 *
 * @param {HTMLElement} button
 * @param {() => string} read
 * @param {(problem: string) => void} report
 */
export function offerCopy(button, read, report) {
  const label = find(button, ".label");
  button.onclick = async () => {
    const text = read();
    const problem = findHalf(text) || await copy(text);
    report(problem);
    announce(problem || "Copied.", 0);
    label.textContent = problem ? "Copy" : "Copied";
    setTimeout(() => label.textContent = "Copy", COPIED_MS);
  };
}

/**
 * Lets a button save a text, or report why it cannot.
 *
 * @param {HTMLElement} button
 * @param {{ name: string, read: () => string, report: (problem: string) => void }} options
 */
export function offerDownload(button, { name, read, report }) {
  button.onclick = () => {
    const text = read();
    const problem = findHalf(text);
    report(problem);
    announce(problem, 0);
    if (problem) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new File([text], name));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), COPIED_MS);
  };
}

/** @param {string} text */
function findHalf(text) {
  return text.isWellFormed()
    ? ""
    : "Half of a surrogate pair in it cannot be copied or saved.";
}

/** @param {string} text @returns {Promise<string>} The problem, or nothing. */
async function copy(text) {
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(() => true, () => false)
    : copyAsCommand(text);
  return isCopied
    ? ""
    : "The browser does not let this page copy. Please select and copy it.";
}

// For pages over plain HTTP, which have no clipboard; through no element, which
// would change line ends and take the focus.
/** @param {string} text */
function copyAsCommand(text) {
  let isCopied = false;
  /** @param {Event} event */
  function give(event) {
    event.preventDefault();
    event.stopPropagation();
    if (!(event instanceof ClipboardEvent) || event.type !== "copy") return;
    event.clipboardData?.setData("text/plain", text);
    isCopied = true;
  }
  // With nothing selected the browser asks "beforecopy" first.
  const types = ["beforecopy", "copy"];
  for (const type of types) document.addEventListener(type, give, true);
  const isDone = document.execCommand("copy");
  for (const type of types) document.removeEventListener(type, give, true);
  return isDone && isCopied;
}
