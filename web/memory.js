/// <reference path="./types.d.ts" />

/** Stores theme, tool and options between visits, but no texts. Sets the theme before the first paint. @module */

const KEY = "developer-utilities";

/** Returns the stored settings. @returns {Remembered} */
export function recall() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** Changes some of the stored settings. @param {Remembered} changes */
export function remember(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), ...changes }));
  } catch {
    // Storage is disabled or full. The page works without it.
  }
}

/** Sets the theme. @param {string} theme `system`, `light` or `dark`. */
export function setTheme(theme) {
  const { dataset, style } = document.documentElement;
  dataset.theme = theme;
  style.colorScheme = theme === "system" ? "" : theme;
}

setTheme(recall().theme ?? "system");
