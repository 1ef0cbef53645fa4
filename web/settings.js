/// <reference path="./types.d.ts" />

/**
 * Settings: those that the browser keeps between visits, and those in the
 * address, which have priority.
 * @module
 */

import { TOOLS } from "./tools.js";

/** Name of the page's entry in the browser's storage. theme.js has the same name. */
export const STORAGE_KEY = "developer-utilities";

/** @returns {Settings} */
export function readSettings() {
  try {
    return Object(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** @param {Settings} changes Other settings stay as they are. */
export function storeSettings(changes) {
  try {
    const settings = { ...readSettings(), ...changes };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // The storage is full or not permitted: the page works without stored settings.
  }
}

/**
 * Reads the tool to show and its options from the address, such as
 * `#hash?sha512`, or else from the last visit. If the address names a tool that
 * does not exist, that name is returned as `unknown`.
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
