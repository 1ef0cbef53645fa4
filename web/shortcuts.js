/**
 * The keyboard shortcuts, and the dialog that lists them.
 * @module
 */

import { find } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Handles the shortcuts before the elements of the page do.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToKeys(getCurrent) {
  addEventListener("keydown", (event) => {
    if (!pressKey(event, getCurrent())) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  // Opens the dialog by script, because some supported browsers don't know the
  // attribute `command`.
  const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
  find(document, "#help").onclick = () => shortcuts.showModal();
}

/**
 * Handles a key, and returns whether it is a shortcut. Most shortcuts click the
 * control whose `aria-keyshortcuts` names them.
 * @param {KeyboardEvent} event
 * @param {Section} section
 */
function pressKey(event, section) {
  const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
  // No shortcuts with Alt or AltGr (both `altKey`): they can type a character.
  if (altKey || document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return section.cancel();
  if (!ctrlKey && !metaKey) return false;
  const keys = `Control+${shiftKey ? "Shift+" : ""}${nameKey(event)}`;
  const control = findControl(keys);
  if (control) {
    control.click();
    return true;
  }
  if (keys === "Control+Enter") {
    section.run();
    return true;
  }
  // An editor handles this key itself.
  const isEditor = target instanceof Element && target.matches(".editor");
  return keys === "Control+F" && !isEditor && section.search();
}

/**
 * Returns the Latin letter that a key types, in uppercase, or otherwise its name
 * on a US keyboard, as for Cyrillic letters and for digits with Shift.
 * @param {KeyboardEvent} event
 */
function nameKey({ key, code }) {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toUpperCase();
  return code.replace(/^Key|^Digit|^Numpad/, "");
}

/**
 * Returns the first visible control with a shortcut. Of the digests, only the
 * selected one has it.
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
