/**
 * Questions about the state of a tool, which `Section` changes and `View` draws.
 * @module
 */

import { getDefaults } from "./form.js";

/** @type {Message} */
export const NO_MESSAGE = { text: "", kind: "hint", buttons: [] };

/**
 * Returns the state of a tool before its first computation.
 * @param {Tool} tool
 * @param {string | undefined} text Undefined for a tool without an input.
 * @param {{ name: string, settings: Settings }} options
 * @returns {ToolState}
 */
export function createState(tool, text, { name, settings }) {
  const { copyAs, language = "curl", isApiCallShown = false } = settings;
  return {
    values: getDefaults(tool),
    text,
    isTextOld: false,
    inputFile: undefined,
    textFile: undefined,
    newest: undefined,
    shown: undefined,
    message: NO_MESSAGE,
    caret: "",
    expected: "",
    copyAs: copyAs?.[name] ?? "",
    language,
    isApiCallShown,
    isTyped: true,
  };
}

/**
 * Returns what is to be computed: the values of the fields that the chosen
 * action has, and the text as `input`, or else the file, with its `encoding`.
 * @param {Tool} tool
 * @param {ToolState} state
 * @returns {CallInput}
 */
export function readInput({ fields }, { values, text, inputFile: file }) {
  const { encoding = "base64", ...others } = values;
  const isDataUrl = file !== undefined && encoding === "data-url";
  const used = Object.entries(others).filter(([name, value]) => {
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
 * Whether the newest computation has the values and the file of now.
 * @param {Tool} tool
 * @param {ToolState} state
 */
export function isLatest(tool, state) {
  const { newest, isTextOld } = state;
  if (isTextOld) return false;
  const { values, file } = readInput(tool, state);
  const names = Object.keys(values);
  return newest !== undefined && newest.file === file &&
    names.length === Object.keys(newest.values).length &&
    names.every((name) => newest.values[name] === values[name]);
}

/**
 * Whether a computation is in progress.
 * @param {ToolState} state
 */
export function isWaiting({ newest }) {
  return newest !== undefined && newest.outcome === undefined;
}

/**
 * Whether the shown result is that of the values and the file of now.
 * @param {Tool} tool
 * @param {ToolState} state
 */
export function isCurrent(tool, state) {
  return state.newest?.outcome?.result !== undefined && isLatest(tool, state);
}
