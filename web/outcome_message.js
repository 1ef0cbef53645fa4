/**
 * The message on the outcome of a call: an error in the input or the fields, or
 * a failure of the call, and hints, with buttons. Uses no DOM.
 * @module
 */

import { MAX_REPAIR, suggest } from "./suggestions.js";
import { TOOLS } from "./tools.js";

/**
 * Returns the message on the outcome of a call. The words are empty if there is
 * no error, failure or hint. The kind is `wrong` for an error or a failure.
 * @param {string} tool
 * @param {Call} call
 * @param {OutcomeActions} actions The effects of the buttons.
 * @returns {{ words: string, kind: "wrong" | "hint", buttons: MessageButton[] }}
 */
export function describeOutcome(tool, { values, outcome = {} }, actions) {
  const { wrong, failure, hint, offset } = outcome;
  const problem = wrong ?? failure;
  const suggestions = failure ? [] : suggest(tool, values, outcome);
  const remarks = [
    says(problem),
    says(hint),
    ...suggestions.map((suggestion) => offer(suggestion, actions)),
  ];
  if (offset !== undefined) {
    remarks.push({ button: ["Show", () => actions.select(offset)] });
  }
  if (outcome.isInvalidJson && suggestions.length === 0) {
    remarks.push(offerRepair(values, actions));
  }
  remarks.push(
    offerDataUrl(values, actions),
    failure ? { button: ["Try again", () => actions.call()] } : {},
    offerDownload(outcome, actions),
  );
  const words = remarks.flatMap(({ words }) => words ?? []).join(" ");
  const buttons = remarks.flatMap(({ button }) => button ? [button] : []);
  return { words, kind: problem ? "wrong" : "hint", buttons };
}

/**
 * @param {string | undefined} words
 * @returns {Remark}
 */
function says(words) {
  return words ? { words } : {};
}

/**
 * Makes a remark of a suggestion. Its button shows a result, selects a
 * character of the input, opens a text in another tool, or replaces the input.
 * @param {Suggestion} suggestion
 * @param {OutcomeActions} actions
 * @returns {Remark}
 */
function offer({ says, label, value = "", to, offset, result }, actions) {
  function press() {
    if (result !== undefined) actions.showResult(result);
    else if (offset !== undefined) actions.select(offset);
    else if (to && to in TOOLS) actions.open(to, value);
    else actions.fill(value, to);
  }
  return { words: says, button: [label, press] };
}

/**
 * Offers to repair an input that is not JSON, or says that the input is longer
 * than `MAX_REPAIR`.
 * @param {Values} values
 * @param {OutcomeActions} actions
 * @returns {Remark}
 */
function offerRepair({ input = "" }, actions) {
  if (input.length <= MAX_REPAIR) {
    return { button: ["Repair", () => actions.repair()] };
  }
  const limit = MAX_REPAIR.toLocaleString("en");
  return { words: `Repair takes at most ${limit} characters.` };
}

/**
 * Offers to encode a file as a data URL, if the input to encode is the text of
 * the file.
 * @param {Values} values
 * @param {OutcomeActions} actions
 * @returns {Remark}
 */
function offerDataUrl({ input, action }, { textFile, encodeTextFile }) {
  if (action !== "encode" || textFile?.text !== input) return {};
  return {
    words: `This is the text of “${textFile?.file.name}”.`,
    button: ["Encode as data URL", encodeTextFile],
  };
}

/**
 * Offers to download decoded bytes that are not UTF-8 text.
 * @param {Outcome} outcome
 * @param {OutcomeActions} actions
 * @returns {Remark}
 */
function offerDownload({ bytes }, actions) {
  if (!bytes) return {};
  return {
    words: "This is not UTF-8 text, so this page has decoded it.",
    button: ["Download", () => actions.download(bytes)],
  };
}
