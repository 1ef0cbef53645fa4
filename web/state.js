/**
 * The state of a tool, which `Section` changes and `View` draws.
 * @module
 */

import { getDefaults } from "./form.js";
import { readSettings } from "./settings.js";
import { TOOLS } from "./tools.js";

/** @type {Message} */
export const NO_MESSAGE = { text: "", kind: "hint", buttons: [] };

/**
 * Returns the state of a tool before its first computation.
 * @param {string} name
 * @param {string | undefined} text Undefined for a tool without an input.
 * @returns {ToolState}
 */
export function createState(name, text) {
  const { copyAs, language, isApiCallShown } = readSettings();
  return {
    values: getDefaults(/** @type {Tool} */ (TOOLS[name])),
    text,
    isTextOutdated: false,
    inputFile: undefined,
    textFile: undefined,
    newest: undefined,
    shown: undefined,
    message: NO_MESSAGE,
    expected: "",
    copyAs: copyAs[name] ?? "",
    language,
    isApiCallShown,
    isTyped: true,
  };
}

/**
 * Returns what to compute: the values of the fields of the selected action, and
 * the text as `input`, or the file with its `encoding`.
 * @param {Tool} tool
 * @param {ToolState} state
 * @returns {CallInput}
 */
export function getInput({ fields }, { values, text, inputFile: file }) {
  const { encoding = "base64", ...fieldValues } = values;
  const isDataUrl = file !== undefined && encoding === "data-url";
  const used = Object.entries(fieldValues).filter(([name, value]) => {
    const { action, isOptional } = fields[name] ?? {};
    if (isOptional && value === "") return false;
    // The Base64 in a data URL always has the standard alphabet.
    if (name === "variant" && isDataUrl) return false;
    return action === undefined || action === values.action;
  });
  return {
    values: {
      ...(text === undefined ? {} : { input: file ? "" : text }),
      ...(file ? { encoding } : {}),
      ...Object.fromEntries(used),
    },
    file,
  };
}

/**
 * Whether the newest computation has the current input and values.
 * @param {Tool} tool
 * @param {ToolState} state
 */
export function isLatest(tool, state) {
  const { newest, isTextOutdated } = state;
  if (isTextOutdated) return false;
  const { values, file } = getInput(tool, state);
  const names = Object.keys(values);
  return newest !== undefined && newest.file === file &&
    names.length === Object.keys(newest.values).length &&
    names.every((name) => newest.values[name] === values[name]);
}

/** @param {ToolState} state */
export function isWaiting({ newest }) {
  return newest !== undefined && newest.outcome === undefined;
}

/**
 * Whether the shown result has the current input and values.
 * @param {Tool} tool
 * @param {ToolState} state
 */
export function isCurrent(tool, state) {
  return state.newest?.outcome?.result !== undefined && isLatest(tool, state);
}
