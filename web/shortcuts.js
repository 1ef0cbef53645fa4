/**
 * The keyboard shortcuts, and the dialog that lists them.
 * @module
 */

import { acceptsText, find } from "./elements.js";
import { connect } from "./settings.js";

/** @import { Section } from "./section.js" */

/**
 * Handles the shortcuts anywhere on the page, before its elements handle the
 * key.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToKeys(getCurrent) {
  addEventListener("keydown", (event) => {
    if (!pressKey(event, getCurrent())) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  nameKeys();
  prepareHelpKey();
  // Opens the dialog by script: not all browsers in use know the attribute
  // `command`.
  const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
  find(document, "#help").onclick = () => shortcuts.showModal();
}

/**
 * Handles a key. Returns true if neither the browser nor an element is to
 * handle the key. Most shortcuts click the control whose
 * `aria-keyshortcuts` names them.
 * @param {KeyboardEvent} event
 * @param {Section} section
 */
function pressKey(event, section) {
  const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
  // No shortcuts with Alt or AltGr (both `altKey`): they may type a character.
  if (altKey || document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return section.cancel();
  const isCommand = ctrlKey || metaKey;
  const isEditor = target instanceof Element && target.matches(".editor");
  if (!isCommand && (isEditor || acceptsText(target))) return false;
  const command = `Control+${shiftKey ? "Shift+" : ""}${nameKey(event)}`;
  const control = findControl(isCommand ? command : key);
  if (control) {
    control.click();
    return true;
  }
  if (command === "Control+Enter" && isCommand) {
    section.run();
    return true;
  }
  // An editor has a search of its own, and handles this key itself.
  if (command === "Control+F" && isCommand && !isEditor) {
    return section.search();
  }
  return false;
}

/**
 * Returns the name that a key has in shortcuts: the Latin letter that it types,
 * in upper case, or else its name on a US keyboard, by its position. The
 * position counts for Cyrillic letters, for example, and for digits with Shift.
 * @param {KeyboardEvent} event
 */
function nameKey({ key, code }) {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toUpperCase();
  return code.replace(/^Key|^Digit|^Numpad/, "");
}

/**
 * Returns the first visible control with a shortcut, if any. The buttons of all
 * digests have the same shortcut: only the button of the chosen digest counts.
 * @param {string} keys
 */
function findControl(keys) {
  const controls = document.querySelectorAll(
    `:not(.digest:not(:has(:checked))) > ` +
      `[aria-keyshortcuts="${CSS.escape(keys)}"]`,
  );
  const control = [...controls].find((control) => control.checkVisibility());
  return control instanceof HTMLElement ? control : undefined;
}

/**
 * Prepares the box that turns off the shortcut of a single key: those who speak
 * to their computer may press this key by accident (WCAG 2.1.4).
 */
function prepareHelpKey() {
  const help = find(document, "#help");
  connect("#help-key", "isHelpKeyOn", (isOn) => {
    help.setAttribute("aria-keyshortcuts", isOn ? "?" : "");
    help.title = `Keyboard shortcuts${isOn ? " (?)" : ""}`;
  });
}

/**
 * On Apple's systems, replaces the names of keys in the list by symbols: ⇧ for
 * Shift, and ⌘ for Ctrl, but ⌃ in the shortcuts with a digit, since macOS
 * itself uses ⌘ ⇧ with digits.
 */
function nameKeys() {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of document.querySelectorAll("kbd")) {
    const hasDigit = /\d/.test(key.parentElement?.textContent ?? "");
    if (key.textContent === "Ctrl") key.textContent = hasDigit ? "⌃" : "⌘";
    if (key.textContent === "Shift") key.textContent = "⇧";
  }
}
