/// <reference path="./types.d.ts" />

/**
 * Settings, which the browser keeps between visits, and inputs, which it keeps for
 * a reload if the user wants that.
 * @module
 */

import { parseLink } from "./links.js";
import { TOOLS } from "./tools.js";

/**
 * Key of the page's entry in the local and in the session storage. theme.js has
 * a copy, because a classic script can't import the constant.
 */
export const STORAGE_KEY = "developer-utilities";

/** Longest input that is kept, in UTF-16 code units. */
const MAX_KEPT = 1_048_576;

/** @type {Settings} */
const DEFAULTS = {
  theme: "system",
  tool: "",
  options: {},
  copyAs: {},
  language: "curl",
  isApiCallShown: false,
  isInputKept: false,
  isWrapped: true,
};

/**
 * Reads the page's entry of a storage, or returns an empty object.
 * @param {() => Storage} getStorage Browsers without storage throw here.
 */
function readEntry(getStorage) {
  try {
    return Object(JSON.parse(getStorage().getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/**
 * Reads the settings. Replaces values of another type by the defaults: extensions,
 * users, and other versions of the page also write to the storage.
 * @returns {Settings}
 */
export function readSettings() {
  const stored = readEntry(() => localStorage);
  const entries = Object.entries(DEFAULTS).map(([name, value]) => {
    const own = stored[name];
    if (typeof own !== typeof value) return [name, value];
    return [name, typeof own === "object" ? pickStrings(own) : own];
  });
  return Object.fromEntries(entries);
}

/**
 * Connects a control with its setting, which another tab can also change.
 * @param {string} selector Of a checkbox or a menu.
 * @param {keyof Settings} name
 * @param {(value: any) => void} apply Called now and after each change.
 */
export function connect(selector, name, apply) {
  const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (
    document.querySelector(selector)
  );
  const key = "checked" in control ? "checked" : "value";
  const show = () => {
    Object.assign(control, { [key]: readSettings()[name] });
    apply(readSettings()[name]);
  };
  show();
  addEventListener("storage", show);
  control.onchange = () => {
    const value = Reflect.get(control, key);
    storeSettings({ [name]: value });
    apply(value);
  };
}

/**
 * Returns the properties of a stored value that are strings.
 * @param {unknown} stored
 * @returns {Record<string, string>}
 */
function pickStrings(stored) {
  const properties = Object.entries(Object(stored));
  return Object.fromEntries(
    properties.filter(([_name, value]) => typeof value === "string"),
  );
}

/** @param {Partial<Settings>} changes Other settings don't change. */
export function storeSettings(changes) {
  try {
    const settings = { ...readSettings(), ...changes };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // The storage is full or not permitted.
  }
}

/** Returns the kept inputs by tool; an empty object if none can be read. */
export function readInputs() {
  return pickStrings(readEntry(() => sessionStorage));
}

/**
 * Stores inputs instead of those stored before, except empty and long ones.
 * @param {[tool: string, text: string][]} inputs
 */
export function storeInputs(inputs) {
  const kept = inputs.filter(([_tool, text]) =>
    text !== "" && text.length <= MAX_KEPT
  );
  try {
    sessionStorage.removeItem(STORAGE_KEY);
    if (kept.length === 0) return;
    const json = JSON.stringify(Object.fromEntries(kept));
    sessionStorage.setItem(STORAGE_KEY, json);
  } catch {
    // The storage is full or not permitted.
  }
}

/**
 * Reads the tool, its options, and its input from the URL, or otherwise the tool
 * and its options from the settings. For an unknown tool, returns the first one,
 * and the name in the URL as `unknown`.
 * @returns {{ name: string, options: string, input?: string, unknown?: string }}
 */
export function readLocation() {
  const link = parseLink(location.hash);
  const { tool, options } = readSettings();
  const name = link.name || tool;
  if (!Object.hasOwn(TOOLS, name)) {
    const [first = ""] = Object.keys(TOOLS);
    return { name: first, options: "", unknown: link.name };
  }
  return link.name ? { ...link, name } : { name, options: options[name] ?? "" };
}
