/**
 * The message on the outcome of a computation: an error in the input or the
 * fields, or a failure, and hints, with buttons. Uses no DOM.
 * @module
 */

import { MAX_REPAIR } from "./text.js";
import { TOOLS } from "./tools.js";

/**
 * Words and a button for a message, each optional.
 * @typedef {{ words?: string, button?: MessageButton }} Remark
 */

/**
 * Returns the message on the outcome of a call. The kind is `wrong` if the
 * outcome has an error message (`wrong` or `failure`), and otherwise `hint`,
 * even if the words are empty.
 * @param {Computation} computation
 * @param {OutcomeContext} context
 * @returns {Message}
 */
export function describeOutcome({ values, outcome = {} }, context) {
  const { wrong, failure, hint, offset, suggestions = [] } = outcome;
  const problem = wrong ?? failure;
  const remarks = [
    createRemark(problem),
    createRemark(hint),
    ...suggestions.map((suggestion) => offer(suggestion, context)),
  ];
  if (offset !== undefined) {
    remarks.push({ button: ["Show", () => context.select(offset)] });
  }
  if (outcome.mayRepair && suggestions.length === 0) {
    remarks.push(offerRepair(values, context));
  }
  remarks.push(
    offerDataUrl(values, context),
    failure ? { button: ["Try again", () => context.retry()] } : {},
    offerDownload(outcome, context),
  );
  const words = remarks.flatMap(({ words }) => words ?? []).join(" ");
  const buttons = remarks.flatMap(({ button }) => button ? [button] : []);
  return { words, kind: problem ? "wrong" : "hint", buttons };
}

/**
 * @param {string | undefined} words
 * @returns {Remark}
 */
function createRemark(words) {
  return words ? { words } : {};
}

/**
 * Makes a remark of a suggestion. Its button shows a result, selects a
 * character of the input, opens a text in another tool, or replaces the input.
 * @param {Suggestion} suggestion
 * @param {OutcomeContext} context
 * @returns {Remark}
 */
function offer({ says, label, value = "", to, offset, result }, context) {
  function press() {
    if (result !== undefined) context.showResult(result);
    else if (offset !== undefined) context.select(offset);
    else if (to && to in TOOLS) context.openTool(to, value);
    else context.fill(value, to);
  }
  return { words: says, button: [label, press] };
}

/**
 * Offers to repair an input that is not JSON, or says that the input is longer
 * than `MAX_REPAIR`.
 * @param {Values} values
 * @param {OutcomeContext} context
 * @returns {Remark}
 */
function offerRepair({ input = "" }, context) {
  if (input.length <= MAX_REPAIR) {
    return { button: ["Repair", () => context.repair()] };
  }
  const limit = MAX_REPAIR.toLocaleString("en");
  return { words: `Repair takes at most ${limit} characters.` };
}

/**
 * If the input to encode is the text of a file, offers the file's data URL.
 * @param {Values} values
 * @param {OutcomeContext} context
 * @returns {Remark}
 */
function offerDataUrl({ input, action }, context) {
  const { textFile } = context;
  if (action !== "encode" || !textFile || textFile.text !== input) return {};
  const { file } = textFile;
  return {
    words: `This is the text of “${file.name}”.`,
    button: ["Encode as data URL", () => context.encodeAsDataUrl(file)],
  };
}

/**
 * Offers to download decoded bytes that are not UTF-8 text.
 * @param {Outcome} outcome
 * @param {OutcomeContext} context
 * @returns {Remark}
 */
function offerDownload({ bytes }, context) {
  if (!bytes) return {};
  return {
    words: "This is not UTF-8 text.",
    button: ["Download", () => context.download(bytes)],
  };
}
