/**
 * Reads the reply of a worker as the outcome of a computation, in the words of
 * the page. Also tells outcomes for which no worker is needed. Uses no DOM.
 * @module
 */

import { findKind } from "./kinds.js";
import { describeSize } from "./text.js";
import { TOOLS } from "./tools.js";

/** Longest text of an input, in UTF-16 code units. */
const MAX_TEXT = 100_000_000;

/** Messages on failures, by the name of the error. */
const FAILURES = new Map([
  ["NotReadableError", "The file cannot be read."],
  ["NotFoundError", "The file is no longer there."],
  ["RangeError", "This is too large for this browser."],
  [
    "NotSupportedError",
    "This browser permits no WebAssembly, by which the page computes " +
    "digests here. The command hash sha256 FILE computes them, too.",
  ],
  [
    "NetworkError",
    "The script that computes cannot be loaded. Please load the page again.",
  ],
]);

export const MISTAKE = "This page has made a mistake. Please load it again.";

/**
 * Returns the outcome if it takes no computation: of an empty text, of a text
 * that is too long, and of a file that cannot be decoded. Otherwise undefined.
 * @param {string} name Name of the tool.
 * @param {CallInput} call
 * @returns {Outcome | undefined}
 */
export function foresee(name, { values, file }) {
  const { input, action } = values;
  if (file && action === "decode") {
    const wrong = "Base64 is a text: paste it, or drop a text file. " +
      `“${file.name}” can be encoded only.`;
    return { wrong };
  }
  if (file || input === undefined) return;
  if (input === "" && TOOLS[name]?.view === "text") return { result: "" };
  if (input.length <= MAX_TEXT) return;
  const limit = MAX_TEXT.toLocaleString("en");
  const wrong = `The text has ${input.length.toLocaleString("en")} ` +
    `characters, and this page takes at most ${limit}. The commands take more.`;
  return { wrong };
}

/**
 * @param {string} name Name of the tool.
 * @param {Values} values
 * @param {Reply} reply
 * @returns {Outcome}
 */
export function readOutcome(name, values, reply) {
  const { results = [], error, failure, located = error } = reply;
  const { offset, suggestions, sizes, lineEnds, mayRepair, hasBlocks } = reply;
  if (failure !== undefined) {
    return { failure: FAILURES.get(failure) ?? MISTAKE };
  }
  /** @type {Outcome} */
  const read = located === undefined || error === undefined
    ? TOOLS[name]?.read(results, values) ?? {}
    : { wrong: located, isInvalidJson: error.startsWith(INVALID_JSON) };
  const { wrong } = read;
  return {
    ...read,
    ...(wrong === undefined ? {} : { wrong: explain(wrong) }),
    ...describeBytes(read),
    ...describeWhole(read, reply),
    offset,
    suggestions,
    sizes,
    lineEnds,
    mayRepair,
    hasBlocks,
  };
}

/** The start of the message on a text that is not JSON. */
const INVALID_JSON = '"input" must be JSON:';

/**
 * Rewrites an error of an operation in the words of the page.
 * @param {string} error
 */
function explain(error) {
  const words = error
    .replace(INVALID_JSON, "Not valid JSON:")
    .replace(
      /^"(?:count|length)" must be an integer from (\d+) to (\d+),[^]*/,
      "Enter a number from $1 to $2",
    )
    .replace(
      /^at least one of "uppercase".*/,
      "Choose at least one kind of character",
    )
    .replace(/^"(\w+)"/, "The $1");
  return `${words}.`;
}

/** @param {Outcome} outcome If it has bytes, a note is returned. */
function describeBytes({ bytes }) {
  if (!bytes) return {};
  const { name } = findKind(bytes) ?? {};
  const size = describeSize(bytes.length);
  const note = `Binary data, ${size}${name ? ` (${name})` : ""}`;
  return { result: "", note };
}

/**
 * If only the start of the result is shown, returns the whole and a sentence.
 * @param {Outcome} outcome
 * @param {Reply} reply
 */
function describeWhole({ result = "" }, { whole }) {
  if (!whole) return {};
  const [start, length] = [result.length, whole.length]
    .map((count) => count.toLocaleString("en"));
  const hint = `The first ${start} of ${length} characters are shown. ` +
    "Copy and Download give all of them.";
  return { whole: whole.content, hint };
}
