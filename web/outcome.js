/// <reference path="./types.d.ts" />

/**
 * Converts the reply of the worker to the outcome of a computation, with the
 * message and the buttons that the page shows.
 * @module
 */

import { findKind } from "./kinds.js";
import { describeSize } from "./text.js";
import { TOOLS } from "./tools.js";

/** Longest input, in UTF-16 code units. */
const MAX_INPUT = 100_000_000;

/** Messages on failures, by the name of the error. */
const FAILURES = new Map([
  ["NotReadableError", "The file can’t be read."],
  ["NotFoundError", "The file was moved or deleted."],
  ["RangeError", "The input or the result is too large for this browser."],
  [
    "NotSupportedError",
    "This browser blocks WebAssembly, which the page needs to compute these " +
    "digests. Run devutils hash sha256 FILE instead.",
  ],
  ["NetworkError", "A script couldn’t be loaded. Please reload the page."],
]);

export const UNEXPECTED_ERROR = "Something went wrong. Please reload the page.";

/**
 * Returns the outcome if no computation is needed: for an empty or too long input,
 * and a file to decode. Otherwise returns undefined.
 * @param {string} name Name of the tool.
 * @param {CallInput} call
 * @returns {Outcome | undefined}
 */
export function getKnownOutcome(name, { values, file }) {
  const { input, action } = values;
  if (file && action === "decode") {
    const error = "To decode Base64, paste it or drop a text file. " +
      `“${file.name}” can only be encoded.`;
    return { error };
  }
  if (file || input === undefined) return;
  if (input === "" && TOOLS[name]?.view === "text") return { result: "" };
  if (input.length <= MAX_INPUT) return;
  const limit = MAX_INPUT.toLocaleString("en");
  const error = `The input is ${input.length.toLocaleString("en")} ` +
    `characters long, but this page accepts at most ${limit}. The command-line ` +
    "tool accepts longer input.";
  return { error };
}

/**
 * @param {string} name Name of the tool.
 * @param {Values} values
 * @param {Reply} reply
 * @returns {Outcome}
 */
export function toOutcome(name, values, reply) {
  const { results, failure, error, inputBytes = 0, resultBytes = 0 } = reply;
  if (failure !== undefined) {
    return { failure: FAILURES.get(failure) ?? UNEXPECTED_ERROR };
  }
  const tool = /** @type {Tool} */ (TOOLS[name]);
  const read = results?.[0] ? toResult(name, results, values) : {};
  const isSized = read.result !== undefined && !read.digests && !read.note;
  const isEmpty = values.input === "" && inputBytes === 0 && !read.digests;
  return {
    ...read,
    ...error ? { error: explain(error, tool), offset: error.offset } : {},
    ...describeBytes(read),
    ...describeFullResult(read, reply),
    sizes: !tool.hasInput || isEmpty
      ? []
      : [inputBytes, ...isSized || read.bytes ? [resultBytes] : []],
    suggestions: reply.suggestions,
    lineEndings: reply.lineEndings,
    blocks: reply.blocks,
  };
}

/**
 * @param {string} name
 * @param {readonly ResultMembers[]} results
 * @param {Values} values
 * @returns {Outcome}
 */
function toResult(name, results, values) {
  const { hasInput } = /** @type {Tool} */ (TOOLS[name]);
  const [first = {}] = results;
  const { result, valid, strength } = first;
  if (name === "hash") return toDigests(results, values);
  if (name === "json" && values.action === "validate") {
    const note = valid ? "This is valid JSON." : "This isn’t valid JSON.";
    return { result: "", note, ...valid ? { spoken: note } : {} };
  }
  if (result instanceof Uint8Array) return { bytes: result };
  if (hasInput) {
    const text = results.map((result) => String(Object.values(result)[0]))
      .join("\n");
    const note = "The decoded result is empty.";
    return text || name !== "base64" ? { result: text } : { result: "", note };
  }
  const lines = [Object.values(first)[0]].flat().map(String);
  const spoken = lines.length > 1 ? `${lines.length} results` : lines[0];
  return {
    result: lines.join("\n"),
    strength,
    spoken: strength ? `${spoken} (${strength})` : spoken,
  };
}

/**
 * @param {readonly ResultMembers[]} results
 * @param {Values} values
 * @returns {Outcome}
 */
function toDigests(results, { algorithm = "" }) {
  const digests = Object.fromEntries(
    results.map(({ algorithm, result }) => [algorithm, String(result)]),
  );
  const result = digests[algorithm] ?? "";
  return { result, digests, spoken: `SHA-${algorithm.slice(3)}: ${result}` };
}

/**
 * Describes an error of an operation for users of the page.
 * @param {CallError} error
 * @param {Tool} tool
 */
function explain(
  { parameters, requirement, reason, isJson, lineAndColumn },
  tool,
) {
  const at = lineAndColumn
    ? ` at line ${lineAndColumn.line}, column ${lineAndColumn.column}`
    : "";
  if (isJson) return `Invalid JSON: ${reason}${at}.`;
  if (typeof parameters !== "string") {
    const labels = parameters.map((name) => tool.fields[name]?.label ?? name);
    const format = new Intl.ListFormat("en", { type: "disjunction" });
    return parameters.every((name) => tool.fields[name]?.type === "boolean")
      ? `Choose at least one of ${format.format(labels)}.`
      : `${labels.join(", ")}: ${requirement}.`;
  }
  const { range, label = parameters } = tool.fields[parameters] ?? {};
  const bounds = range?.join(" to ");
  if (bounds && requirement.includes(bounds)) {
    return `Enter a number from ${bounds}.`;
  }
  return `The ${label.toLowerCase()} ${requirement}${at}.`;
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
 * @param {Outcome} outcome
 * @param {Reply} reply
 */
function describeFullResult({ result = "" }, { fullResult }) {
  if (!fullResult) return {};
  const [start, length] = [result.length, fullResult.length]
    .map((count) => count.toLocaleString("en"));
  const hint = `The first ${start} of ${length} characters are shown. ` +
    "Copy and Download include all of them.";
  return { fullResult: fullResult.content, hint };
}

/**
 * Returns the message and the buttons for an outcome.
 * @param {Computation} computation
 * @param {OutcomeActions} actions
 * @param {TextFile} [textFile] The last file whose text became the input.
 * @returns {Message}
 */
export function describeOutcome({ values, outcome = {} }, actions, textFile) {
  const { error, failure, hint, suggestions = [] } = outcome;
  const problem = error ?? failure;
  const sentences = [problem, hint];
  /** @type {MessageButton[]} */
  const buttons = [];
  for (const suggestion of suggestions) {
    sentences.push(suggestion.message);
    buttons.push([suggestion.label, () => follow(suggestion, actions)]);
  }
  if (
    values.action === "encode" && textFile && textFile.text === values.input
  ) {
    const { file } = textFile;
    sentences.push(`This is the text of “${file.name}”.`);
    const encode = () => actions.useFile(file, { encoding: "data-url" });
    buttons.push(["Encode as data URL", encode]);
  }
  if (failure) buttons.push(["Try again", () => actions.run()]);
  const text = sentences.filter(Boolean).join(" ");
  return { text, kind: problem ? "error" : "hint", buttons };
}

/**
 * @param {Suggestion} suggestion
 * @param {OutcomeActions} actions
 */
function follow({ value = "", to, offset }, actions) {
  if (offset !== undefined) actions.input?.select(offset);
  else if (to && to in TOOLS) actions.openTool(to, value);
  else actions.fill(value, to);
}
