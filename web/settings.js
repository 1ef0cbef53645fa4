/// <reference path="./types.d.ts" />

/**
 * Settings: the local storage of the browser keeps them between visits. A tool
 * and its options in the address take precedence over those in the storage.
 * @module
 */

import { TOOLS } from "./tools.js";

/**
 * Key of the page's entry in the local and in the session storage. theme.js has
 * a copy, since a classic script cannot import the constant.
 */
export const STORAGE_KEY = "developer-utilities";

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
  return readEntry(() => localStorage);
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
 * Reads the tool to show and its options from the address, such as
 * `#hash?sha512`, or if the address names no tool, from the settings. If that
 * gives no existing tool, returns Base64, and as `unknown` the name in the
 * address; the name is empty if there is none.
 */
export function readAddress() {
  const [asked = "", query = ""] = location.hash.slice(1).toLowerCase()
    .split("?");
  const { tool = "", options = {} } = readSettings();
  const name = asked || tool;
  if (!Object.hasOwn(TOOLS, name)) {
    return { name: "base64", query: "", unknown: asked };
  }
  return { name, query: asked ? query : options[name] ?? "" };
}
