/**
 * Whether the editors of all tools wrap their lines: a switch, which the
 * settings keep.
 * @module
 */

import { readSettings, storeSettings } from "./settings.js";
// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

let isWrapped = true;
const editors = /** @type {cm.EditorView[]} */ ([]);

/** An extension of all editors. */
export const wrapping = cm.EditorView.contentAttributes.of(() =>
  isWrapped ? { class: "cm-lineWrapping" } : null
);

/** @param {cm.EditorView} editor It has the extension `wrapping`. */
export function addEditor(editor) {
  editors.push(editor);
}

/** Applies the stored setting, which another tab may change. */
export function applyWrapping() {
  wrap(!readSettings().isUnwrapped);
}

/**
 * Applies the setting, and stores it.
 * @param {boolean} isOn
 */
export function setWrapping(isOn) {
  storeSettings({ isUnwrapped: !isOn });
  wrap(isOn);
}

/** @param {boolean} isOn */
function wrap(isOn) {
  isWrapped = isOn;
  // An update, even without a change, lets an editor read its attributes.
  for (const editor of editors) editor.dispatch({});
  for (const box of document.querySelectorAll("[name=wrapLines]")) {
    if (box instanceof HTMLInputElement) box.checked = isOn;
  }
}
