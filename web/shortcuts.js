/**
 * The keyboard shortcuts, and the list of them.
 * @module
 */

import { find, takesText } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Handles the shortcuts of the page.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToKeys(getCurrent) {
  addEventListener("keydown", (event) => {
    if (!pressKey(event, getCurrent())) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  nameKeys();
  // The attribute `command` of buttons is newer than some browsers in use.
  const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
  find(document, "#help").onclick = () => shortcuts.showModal();
}

/**
 * Returns whether a key was a shortcut; most click the control that names them.
 * @param {KeyboardEvent} event
 * @param {Section} section
 */
function pressKey(event, section) {
  const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
  // Alt types characters on some keyboards; AltGr counts as Alt, too.
  if (altKey || document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return section.cancel();
  const isCommand = ctrlKey || metaKey;
  const isEditor = target instanceof Element && target.matches(".editor");
  if (!isCommand && (isEditor || takesText(target))) return false;
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
  // Editors have a search of their own.
  if (command === "Control+F" && isCommand && !isEditor) {
    return section.search();
  }
  return false;
}

/**
 * Names the key of a shortcut. A Latin letter counts wherever the layout of the
 * keyboard has it. Digits with Shift and letters of other scripts, such as
 * Cyrillic, count by the position that they have on most keyboards.
 * @param {KeyboardEvent} event
 */
function nameKey({ key, code }) {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toUpperCase();
  return code.replace(/^Key|^Digit|^Numpad/, "");
}

/**
 * Returns the visible control that a shortcut clicks. Of the buttons of the
 * digests, it is the one of the chosen digest.
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

/** Names the keys as on Apple's keyboards; macOS keeps ⌘ ⇧ and a digit. */
function nameKeys() {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of document.querySelectorAll("kbd")) {
    const isTool = key.parentElement?.textContent.includes("…");
    if (key.textContent === "Ctrl") key.textContent = isTool ? "⌃" : "⌘";
    if (key.textContent === "Shift") key.textContent = "⇧";
  }
}
