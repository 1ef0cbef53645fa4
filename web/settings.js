/// <reference path="./types.d.ts" />

/**
 * Settings, which the browser keeps between visits, and inputs, which it keeps
 * for a reload of the tab if the user wants that. A tool and its options in the
 * URL take precedence over the settings.
 * @module
 */

import { readLink } from "./links.js";
import { TOOLS } from "./tools.js";

/**
 * Key of the page's entry in the local and in the session storage. theme.js has
 * a copy, because a classic script can't import the constant.
 */
export const STORAGE_KEY = "developer-utilities";

/** Largest length of all kept inputs together, in UTF-16 code units. */
const MAX_KEPT = 1_048_576;

/** The settings that are on or off, each with its default. */
const SWITCHES = {
  isApiCallShown: false,
  isHelpKeyOn: true,
  isInputKept: false,
  isWrapped: true,
};

/**
 * Reads the page's entry of a storage; an empty object if that is not possible.
 * @param {() => Storage} getStorage Browsers without storage throw here.
 */
function readEntry(getStorage) {
  try {
    return Object(JSON.parse(getStorage().getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** @returns {Settings} */
export function readSettings() {
  return cleanSettings(readEntry(() => localStorage));
}

/**
 * Returns the settings in a stored value, without values of another type than
 * the setting: other versions of the page, extensions and users write to the
 * storage, too.
 * @param {Record<string, unknown>} stored
 * @returns {Settings}
 */
export function cleanSettings({ options, copyAs, ...others }) {
  const switches = Object.entries(SWITCHES).map(([name, isOn]) => {
    const value = others[name];
    return [name, typeof value === "boolean" ? value : isOn];
  });
  return {
    theme: "system",
    ...pickStrings(others),
    options: pickStrings(options),
    copyAs: pickStrings(copyAs),
    ...Object.fromEntries(switches),
  };
}

/**
 * Connects a control of the page with its setting, which another tab may change,
 * too.
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

/** @param {Settings} changes Other settings stay as they are. */
export function storeSettings(changes) {
  try {
    const settings = { ...readSettings(), ...changes };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // The storage is full or not permitted: the page works without stored
    // settings.
  }
}

/** Returns the kept inputs by tool; an empty object if none can be read. */
export function readInputs() {
  return pickStrings(readEntry(() => sessionStorage));
}

/**
 * Stores inputs instead of those stored before. Empty inputs are omitted.
 * @param {Iterable<[tool: string, text: string]>} inputs The most important
 * first: an input is omitted if it would exceed `MAX_KEPT` together with the
 * stored inputs before it.
 */
export function storeInputs(inputs) {
  let rest = MAX_KEPT;
  /** @type {[tool: string, text: string][]} */
  const kept = [];
  for (const [tool, text] of inputs) {
    if (text === "" || text.length > rest) continue;
    kept.push([tool, text]);
    rest -= text.length;
  }
  try {
    sessionStorage.removeItem(STORAGE_KEY);
    if (kept.length === 0) return;
    const json = JSON.stringify(Object.fromEntries(kept));
    sessionStorage.setItem(STORAGE_KEY, json);
  } catch {
    // The storage is full or not permitted: the inputs are not kept.
  }
}

/**
 * Reads the tool to show, its options and its input from the URL, or the tool
 * and its options from the settings if the URL names no tool. If there is no
 * such tool, returns the first one, and as `unknown` the name in the URL, which
 * is empty if there is none.
 * @returns {{ name: string, options: string, input?: string, unknown?: string }}
 */
export function readAddress() {
  const link = readLink(location.hash);
  const { tool = "", options = {} } = readSettings();
  const name = link.name.toLowerCase() || tool;
  if (!Object.hasOwn(TOOLS, name)) {
    const [first = ""] = Object.keys(TOOLS);
    return { name: first, options: "", unknown: link.name };
  }
  return link.name ? { ...link, name } : { name, options: options[name] ?? "" };
}
