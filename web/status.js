/**
 * The status of a tool: whether its result belongs to the present input,
 * whether a call is in progress, and which buttons can be used.
 * @module
 */

import { find, write } from "./elements.js";
import { showVerdict } from "./result.js";
import { nameLineEnds } from "./text.js";
import { TOOLS } from "./tools.js";

/**
 * Selector of the buttons that need a text as the result, which must not be out
 * of date.
 */
const RESULT_BUTTONS = "button:is([name=copy], [name=useAsInput])" +
  ":not(.api-call *)";

/**
 * Selector of the buttons Collapse and Expand. They need JSON with an object or
 * array of several lines inside the outermost one.
 */
const BLOCK_BUTTONS = "button:is([name=collapse], [name=expand])";

/**
 * Selector of the button that downloads the result, which may be a text or
 * bytes.
 */
const DOWNLOAD_BUTTON = "button[name=download]:not(.api-call *)";

/**
 * Shows the status of the newest call and of the shown result, and enables the
 * buttons that can be used.
 * @param {HTMLElement} section The section of the tool.
 * @param {import("./calls.js").Calls} calls
 * @param {import("./editor.js").Editor} [output] The editor of the result.
 */
export function showStatus(section, calls, output) {
  const { newest, shown, isLatest, isWaiting } = calls;
  const { result = "", note, digests = {}, bytes, whole } = shown?.outcome ??
    {};
  const isCurrent = isLatest && newest?.outcome?.result !== undefined;
  const isEmpty = result === "" && note === undefined;
  const state = isCurrent ? "current" : "stale";
  section.dataset.state = isEmpty ? "empty" : state;
  const badge = isWaiting
    ? describeWait(newest)
    : describeResult(section, calls);
  write(section, { badge });
  const bar = find(section, "progress", HTMLProgressElement);
  bar.hidden = !isWaiting;
  if (newest?.progress === undefined) bar.removeAttribute("value");
  else bar.value = newest.progress;
  const isText = isCurrent && result !== "";
  enable(section, RESULT_BUTTONS, isText);
  enable(section, DOWNLOAD_BUTTON, isText || isCurrent && bytes !== undefined);
  if (whole || result === shown?.values.input) {
    enable(section, "[name=useAsInput]", false);
  }
  const hasBlocks = section.id === "json" && isText && output?.canCollapse;
  enable(section, BLOCK_BUTTONS, hasBlocks === true);
  enable(section, ".message button", isLatest && !isWaiting);
  showVerdict(section, isCurrent ? Object.values(digests) : []);
}

/**
 * Writes to `data-input` whether the input is a file or empty, shows the kind
 * of line ends in the text, and enables Clear unless the input is empty.
 * @param {HTMLElement} section The section of the tool.
 * @param {string | undefined} text Undefined for a tool without an input.
 * @param {File | undefined} file The input in place of the text.
 */
export function showInput(section, text, file) {
  const isEmpty = text === "" && !file;
  section.dataset.input = file ? "file" : isEmpty ? "empty" : "";
  const menu = find(section, "[name=lineEnds]", HTMLSelectElement);
  menu.value = nameLineEnds(text ?? "");
  menu.hidden = menu.value === "";
  enable(section, "[name=clear]", !isEmpty);
}

/** @param {Call | undefined} call */
function describeWait(call) {
  const { progress } = call ?? {};
  if (progress === undefined) return "Computing…";
  return `Computing… ${Math.floor(100 * progress)} %`;
}

/**
 * Returns the remark on the shown result that it is out of date, or an empty
 * text.
 * @param {HTMLElement} section
 * @param {import("./calls.js").Calls} calls
 */
function describeResult(section, { newest, shown, isLatest }) {
  if (section.dataset.state !== "stale") return "";
  const { noun } = TOOLS[section.id] ?? {};
  if (noun) {
    const isList = shown?.outcome?.result?.includes("\n");
    return `Previous ${noun}${isList ? "s" : ""}`;
  }
  const isWrong = newest?.outcome?.wrong !== undefined;
  return isWrong && isLatest ? "Result of the last valid input" : "Out of date";
}

/**
 * Enables or disables buttons of the form by `aria-disabled`. A disabled button
 * keeps the focus.
 * @param {HTMLElement} section
 * @param {string} selector
 * @param {boolean} isOn
 */
function enable(section, selector, isOn) {
  for (const button of section.querySelectorAll(selector)) {
    button.ariaDisabled = String(!isOn);
  }
}
