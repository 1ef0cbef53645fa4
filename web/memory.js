/// <reference path="./types.d.ts" />

/** Storage between visits: theme, tool and options, never a text. It sets the theme before the first paint. */

const KEY = "developer-utilities";

/** @returns {Remembered} */
export function recall() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** Adds to what is remembered, where the browser lets it. @param {Remembered} changes */
export function remember(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), ...changes }));
  } catch {
    // Storage is off or full: the page works without it.
  }
}

/** @param {string} theme `system`, `light` or `dark`. */
export function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

setTheme(recall().theme ?? "system");
