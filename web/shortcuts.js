/**
 * The keyboard shortcuts, and the dialog that lists them.
 * @module
 */

import { find, takesText } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Starts to handle shortcuts.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToKeys(getCurrent) {
  addEventListener("keydown", (event) => {
    if (!pressKey(event, getCurrent())) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  nameKeys();
  // Some browsers in use do not know the attribute `command`, which would open the dialog.
  const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
  find(document, "#help").onclick = () => shortcuts.showModal();
}

/**
 * Handles a key. Returns whether it was a shortcut. Most shortcuts click the
 * control that names them in `aria-keyshortcuts`.
 * @param {KeyboardEvent} event
 * @param {Section} section
 */
function pressKey(event, section) {
  const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
  // On some keyboards, Alt or AltGr (which is `altKey`, too) types a character.
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
  // In an editor, the editor handles this key: it has a search of its own.
  if (command === "Control+F" && isCommand && !isEditor) {
    return section.search();
  }
  return false;
}

/**
 * Returns the name of the key in a shortcut. If the key types a Latin letter, it
 * is that letter. For other keys, such as Cyrillic letters and digits with
 * Shift, it is what most keyboards have in the same position.
 * @param {KeyboardEvent} event
 */
function nameKey({ key, code }) {
  if (/^\p{Script=Latin}$/u.test(key)) return key.toUpperCase();
  return code.replace(/^Key|^Digit|^Numpad/, "");
}

/**
 * Returns the visible control that a shortcut clicks. Each digest has such a
 * button; the one beside the chosen digest is returned.
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
 * On Apple's systems, writes the keys in the list as they are there: ⌘ for Ctrl, but ⌃ in the
 * shortcuts with a digit, since macOS uses ⌘ ⇧ and a digit itself.
 */
function nameKeys() {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of document.querySelectorAll("kbd")) {
    const isTool = key.parentElement?.textContent.includes("…");
    if (key.textContent === "Ctrl") key.textContent = isTool ? "⌃" : "⌘";
    if (key.textContent === "Shift") key.textContent = "⇧";
  }
}
