/// <reference path="./types.d.ts" />

/**
 * Settings that the browser keeps between visits, and those in the address, which go
 * before.
 * @module
 */

import { TOOLS } from "./tools.js";

/** Name of the page's entry in the browser's storage; theme.js has it, too. */
export const STORAGE_KEY = "developer-utilities";

/**
 * Returns the settings of earlier visits.
 * @returns {Settings}
 */
export function readSettings() {
  try {
    return Object(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/**
 * Stores settings, and keeps the others.
 * @param {Settings} changes
 */
export function storeSettings(changes) {
  try {
    const settings = { ...readSettings(), ...changes };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // Without storage, or if it is full, the page works without settings.
  }
}

/**
 * Returns the tool to show and its options: those in the address, such as
 * `#hash?sha512`, or else those of the last visit. `unknown` is a name in the
 * address that no tool has.
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
