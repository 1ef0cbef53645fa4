/// <reference path="./types.d.ts" />

/** Stores the theme, the last tool and the options of each tool in the browser, but no inputs or results. Sets the theme before the page is first drawn. @module */

const KEY = "developer-utilities";

/** Returns the stored settings, or an empty object if there are none. @returns {Remembered} */
export function recall() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** Stores the given settings. Other settings stored before are kept. @param {Remembered} changes */
export function remember(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), ...changes }));
  } catch {
    // The browser's storage is disabled or full. The page works without stored settings.
  }
}

/** Sets the theme. @param {string} theme `system`, `light` or `dark`. */
export function setTheme(theme) {
  const { dataset, style } = document.documentElement;
  dataset.theme = theme;
  style.colorScheme = theme === "system" ? "" : theme;
}

setTheme(recall().theme ?? "system");
