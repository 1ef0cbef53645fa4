/// <reference path="./types.d.ts" />

/**
 * Settings: the local storage of the browser keeps them between visits. A tool
 * and its options in the address take precedence over those in the storage.
 * @module
 */

import { readLink } from "./links.js";
import { TOOLS } from "./tools.js";

/**
 * Key of the page's entry in the local and in the session storage. theme.js has
 * a copy, since a classic script cannot import the constant.
 */
export const STORAGE_KEY = "developer-utilities";

/** Settings that are true or false; false if they are not stored. */
const SWITCHES = /** @type {const} */ ([
  "isApiCallShown",
  "isHelpKeyOff",
  "isInputForgotten",
  "isUnwrapped",
]);

/**
 * Reads the page's entry of a storage; an empty object if that is not possible.
 * @param {() => Storage} getStorage Browsers without storage throw here.
 */
export function readEntry(getStorage) {
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
 * Returns the settings in a stored value, without members that have another
 * type than the setting: other versions of the page, extensions and people
 * write to the storage, too.
 * @param {Record<string, unknown>} stored
 * @returns {Settings}
 */
export function cleanSettings({ options, copyAs, ...others }) {
  const switches = SWITCHES.map((name) => [name, others[name] === true]);
  return {
    ...pickTexts(others),
    options: pickTexts(options),
    copyAs: pickTexts(copyAs),
    ...Object.fromEntries(switches),
  };
}

/**
 * Connects a box that turns off something with its setting, which another tab
 * may change, too.
 * @param {HTMLInputElement} box
 * @param {typeof SWITCHES[number]} name
 * @param {(isOn: boolean) => void} apply Called now and after each change.
 */
export function connectBox(box, name, apply) {
  const show = () => {
    box.checked = !readSettings()[name];
    apply(box.checked);
  };
  show();
  addEventListener("storage", show);
  box.onchange = () => {
    storeSettings({ [name]: !box.checked });
    apply(box.checked);
  };
}

/**
 * Returns the members of a stored value that are texts.
 * @param {unknown} stored
 * @returns {Record<string, string>}
 */
export function pickTexts(stored) {
  const members = Object.entries(Object(stored));
  return Object.fromEntries(
    members.filter(([_name, value]) => typeof value === "string"),
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

/**
 * Reads the tool to show, its options and a text for its input from the
 * address, or if the address names no tool, tool and options from the settings.
 * If that gives no existing tool, returns Base64, and as `unknown` the name in
 * the address; the name is empty if there is none.
 * @returns {{ name: string, options: string, input?: string, unknown?: string }}
 */
export function readAddress() {
  const link = readLink(location.hash);
  const { tool = "", options = {} } = readSettings();
  const name = link.name.toLowerCase() || tool;
  if (!Object.hasOwn(TOOLS, name)) {
    return { name: "base64", options: "", unknown: link.name };
  }
  return link.name ? { ...link, name } : { name, options: options[name] ?? "" };
}
