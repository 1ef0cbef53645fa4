/**
 * Computes the outcome of a call: lets the worker run the operation, and writes
 * its results and errors in the words of the page. Uses no DOM.
 * @module
 */

import { isAllowed } from "./form.js";
import { findKind, readKind } from "./kinds.js";
import * as texts from "./text.js";
import { TOOLS } from "./tools.js";

/**
 * Longest result with lines longer than `MAX_LINE` that the editor shows whole,
 * in characters.
 */
const MAX_SHOWN = 1_500_000;

/**
 * Length of the start that is shown of a result longer than `MAX_SHOWN`, in
 * characters.
 */
const SHOWN_START = 10_000;

/** Messages on failures, by the name of the error. */
const FAILURES = new Map([
  ["NotReadableError", "The file cannot be read."],
  ["NotFoundError", "The file is no longer there."],
  ["RangeError", "This is too large for this browser."],
  ["NetworkError", "This page cannot load its script that computes."],
]);

/**
 * Computes the outcome. Nothing is computed if the input is empty in a tool
 * whose result is a text, or if a field with `isOfPage` has a value that is not
 * allowed.
 * @param {string} name Name of the tool.
 * @param {CallInput} input
 * @param {(job: Job) => Promise<Reply>} run
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
export async function compute(name, { values, file }, run, signal) {
  const tool = /** @type {Tool} */ (TOOLS[name]);
  const wrong = describeOwn(tool, values) ?? describeFile(values, file);
  if (wrong) return { wrong };
  if (values.input === "" && tool.view === "text" && !file) {
    return { result: "" };
  }
  const changes = tool.calls?.(values) ?? [{}];
  const calls = changes.map((change) => ({ ...values, ...change }));
  try {
    const { answers, error, failure } = await run({ name, calls, file });
    if (failure) throw new DOMException("", failure);
    if (error) return explain({ wrong: error }, values);
    const outcome = tool.read(answers ?? [], values);
    return explain(await present(outcome, { values, file }), values);
  } catch (error) {
    if (signal.aborted) return { failure: "The computation was cancelled." };
    const failure = FAILURES.get(Object(error).name);
    if (failure === undefined) throw error;
    return { failure };
  }
}

/**
 * Returns the error for the first field with a value that is not allowed, or
 * undefined. Checks only the fields that no operation has (`isOfPage`).
 * @param {Tool} tool
 * @param {Values} values
 */
function describeOwn({ fields }, values) {
  for (const [name, field] of Object.entries(fields)) {
    const { isOfPage, range: [min, max] = [] } = field;
    const { [name]: value = field.value } = values;
    if (isOfPage && !isAllowed(field, value)) {
      return `Enter a number from ${min} to ${max}.`;
    }
  }
}

/**
 * Returns the error for a file that is to be decoded, or undefined.
 * @param {Values} values
 * @param {File} [file]
 */
function describeFile({ action }, file) {
  if (!file || action !== "decode") return;
  return "Base64 is a text: paste it, or drop a text file. " +
    `“${file.name}” can be encoded only.`;
}

/**
 * Shows bytes as a note, and only the start of a long text with long lines.
 * @param {Outcome} outcome
 * @param {CallInput} input
 * @returns {Promise<Outcome>}
 */
async function present(outcome, { values, file }) {
  const { result = "", bytes } = outcome;
  if (bytes) {
    const size = texts.describeSize(bytes.length);
    const { name } = findKind(bytes) ?? {};
    const note = `Binary data, ${size}${name ? ` (${name})` : ""}`;
    return { ...outcome, result: "", note };
  }
  let { whole } = outcome;
  if (file && values.encoding === "data-url" && whole) {
    whole = new Blob([`data:${await findType(file)};base64,`, whole]);
  }
  if (whole instanceof Blob && whole.size <= MAX_SHOWN) {
    return { result: await whole.text() };
  }
  if (!whole && !texts.isHeavy(result, MAX_SHOWN)) return outcome;
  const length = whole instanceof Blob ? whole.size : result.length;
  const count = (/** @type {number} */ size) => size.toLocaleString("en");
  const hint = `The first ${count(SHOWN_START)} of ${count(length)} ` +
    "characters are shown. Copy and Download give all of them.";
  const start = whole instanceof Blob
    ? await whole.slice(0, SHOWN_START).text()
    : result.slice(0, SHOWN_START).toWellFormed();
  whole ??= result;
  return { ...outcome, result: start, whole, hint };
}

/**
 * Returns the media type of a file: by its first bytes, or else as the browser
 * names it, or else `application/octet-stream`.
 * @param {File} file
 */
async function findType(file) {
  const { type } = await readKind(file) ?? file;
  return type || "application/octet-stream";
}

/**
 * Rewrites the error of an outcome in the words of the page, and adds the
 * offset in the input if the error names a position. An outcome without an
 * error stays as it is.
 * @param {Outcome} outcome
 * @param {Values} values
 * @returns {Outcome}
 */
function explain(outcome, { input = "" }) {
  const { wrong: error } = outcome;
  if (error === undefined) return outcome;
  const isInvalidJson = outcome.isInvalidJson ||
    error.startsWith('"input" must be JSON: ');
  const words = texts.namePlace(error, input)
    .replace(/^"input" must be JSON:/, "Not valid JSON:")
    .replace(
      /^"(?:count|length)" must be an integer from (\d+) to (\d+),[^]*/,
      "Enter a number from $1 to $2",
    )
    .replace(/^one of "uppercase".*/, "Choose at least one kind of character")
    .replace(/^"(\w+)"/, "The $1");
  return {
    ...outcome,
    wrong: `${words}.`,
    offset: texts.findPosition(error, input),
    isInvalidJson,
  };
}
