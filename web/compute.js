/**
 * Computes a job in the worker: runs the operations of the service with the
 * values of a form, and finds everything about the input and the result that
 * takes long for long text.
 * @module
 */

import { createHashers } from "./hashers.js";
import { readKind } from "./kinds.js";
import { repair } from "./repair.js";
import { readToken, suggest } from "./suggestions.js";
import * as texts from "./text.js";
// @ts-types="../tools/operations.js"
import { InputError, noYield, operations } from "./vendor/operations.js";

/** @import { ReadValue } from "../lib/operation/operation.ts" */

/** Size of a chunk of a file: a multiple of three, for Base64. */
const CHUNK_BYTES = 3 * 1_048_576;

/**
 * Largest formatted JSON, in bytes: browsers have no strings of more than about
 * 500 MB.
 */
const MAX_RESULT_BYTES = 250_000_000;

const CONTEXT = {
  yieldControl: noYield,
  getMaxResultBytes: () => MAX_RESULT_BYTES,
};

/** Longest result that the page shows completely, in characters. */
const MAX_SHOWN = 5_000_000;

/** Length of the start that is shown of a longer result. */
const SHOWN_START = 10_000;

/**
 * Computes a job. Never rejects: every error is a reply.
 * @param {Job} job
 * @param {(progress: number) => void} onProgress Receives the part of the file
 * that has been read, from 0 to 1.
 * @returns {Promise<Reply>}
 */
export async function compute(job, onProgress) {
  try {
    const { results = [], error } = await run(job, onProgress);
    const reply = { error, ...await shorten(results) };
    return { ...reply, ...await examine(job, reply) };
  } catch (error) {
    return { failure: nameFailure(error) };
  }
}

/**
 * Runs the operation, for each call.
 * @param {Job} job
 * @param {(progress: number) => void} onProgress
 * @returns {Promise<Pick<Reply, "results" | "error">>}
 */
async function run({ name, values, file }, onProgress) {
  if (file && name === "hash") return await hashFile(values, file, onProgress);
  if (file) return await encodeFile(values, file, onProgress);
  let invalid = /** @type {InputError | undefined} */ (undefined);
  const context = {
    ...CONTEXT,
    onInvalid(/** @type {InputError} */ error) {
      invalid = error;
    },
  };
  try {
    const results = [];
    for (const call of listCalls(name, values)) {
      results.push(await runOperation(name, call, context));
    }
    return { results, error: invalid && describeError(invalid, values) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { error: describeError(error, values) };
  }
}

/**
 * Returns the values of each call: the tool Hash shows all digests, and Base64
 * decodes the parts of a JSON Web Token.
 * @param {string} name
 * @param {Values} values
 */
function listCalls(name, values) {
  if (name === "hash") {
    const { algorithm: { schema } = {} } = operations.hash?.parameters ?? {};
    const algorithms = schema?.enum?.map(String) ?? [];
    return algorithms.map((algorithm) => ({ ...values, algorithm }));
  }
  const isDecoded = name === "base64" && values.action === "decode";
  const parts = isDecoded ? readToken(values.input ?? "") : undefined;
  return parts?.map((input) => ({ ...values, input })) ?? [values];
}

/**
 * @param {string} name
 * @param {Values} values
 * @param {import("../lib/operation/context.ts").CallContext} context
 * @returns {Promise<ResultMembers>}
 */
async function runOperation(name, values, context) {
  const read = createReader(values);
  try {
    return { ...await operations[name]?.run(read, context) };
  } catch (error) {
    const isBinary = error instanceof InputError && error.kind === "binary";
    if (!isBinary) throw error;
    const binaryContext = { ...context, acceptsBytes: true };
    return { ...await operations[name]?.run(read, binaryContext) };
  }
}

/**
 * Creates the function that reads the values of parameters.
 * @param {Values} values
 * @param {Uint8Array<ArrayBuffer>} [input] Replaces the value of `input`.
 * @returns {ReadValue}
 */
function createReader(values, input) {
  return (name, parameter) =>
    input && name === "input"
      ? parameter.fromBytes(name, input)
      : parameter.fromString(name, values[name]);
}

/**
 * @param {InputError} error
 * @param {Values} values
 * @returns {CallError}
 */
function describeError(error, { input = "" }) {
  const { parameters, requirement, kind, reason, position } = error;
  const offset = position?.offset;
  const place = offset === undefined
    ? undefined
    : position?.lineAndColumn ?? texts.locate(input, offset);
  const isJson = kind === "json";
  return { parameters, requirement, reason, isJson, offset, place };
}

/**
 * Reads a file in chunks, and reports the progress.
 * @param {Blob} file
 * @param {(progress: number) => void} onProgress
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
async function* readChunks(file, onProgress) {
  for (let start = 0; start < file.size; start += CHUNK_BYTES) {
    const chunk = file.slice(start, start + CHUNK_BYTES);
    yield new Uint8Array(await chunk.arrayBuffer());
    onProgress((start + chunk.size) / file.size);
  }
}

/**
 * Computes all digests of a file while reading it once.
 * @param {Values} values
 * @param {Blob} file
 * @param {(progress: number) => void} onProgress
 */
async function hashFile(values, file, onProgress) {
  const hashers = await createHashers();
  for (const hasher of hashers.values()) hasher.init();
  for await (const chunk of readChunks(file, onProgress)) {
    for (const hasher of hashers.values()) hasher.update(chunk);
  }
  const digest = (/** @type {string} */ algorithm) =>
    Promise.resolve(hashers.get(algorithm)?.digest() ?? "");
  const results = [];
  for (const call of listCalls("hash", values)) {
    const { command } = /** @type {any} */ (operations.hash);
    results.push(await command.run(createReader(call), { digest }));
  }
  return { results };
}

/**
 * Encodes a file. Keeps the chunks as blobs, which the browser may store on
 * disk.
 * @param {Values} values
 * @param {File} file
 * @param {(progress: number) => void} onProgress
 */
async function encodeFile(values, file, onProgress) {
  const parts = [];
  if (values.encoding === "data-url") {
    // By its first bytes, or otherwise as the browser names it.
    const { type } = await readKind(file) ?? file;
    parts.push(`data:${type || "application/octet-stream"};base64,`);
  }
  for await (const chunk of readChunks(file, onProgress)) {
    const read = createReader(values, chunk);
    const members = await operations.base64?.run(read, CONTEXT);
    parts.push(new Blob([String(members?.result)]));
  }
  return { results: [{ result: new Blob(parts) }] };
}

/**
 * Replaces a result that is too long to be shown by its start.
 * @param {readonly ResultMembers[]} results
 * @returns {Promise<Reply>}
 */
async function shorten(results) {
  const [members, second] = results;
  const { result } = members ?? {};
  if (second) return { results };
  if (result instanceof Blob) {
    const { size } = result;
    const end = size <= MAX_SHOWN ? size : SHOWN_START;
    const start = await result.slice(0, end).text();
    const whole = end < size ? { content: result, length: size } : undefined;
    return { results: [{ ...members, result: start }], whole };
  }
  if (typeof result !== "string" || result.length <= MAX_SHOWN) {
    return { results };
  }
  const start = result.slice(0, SHOWN_START).toWellFormed();
  const whole = { content: new Blob([result]), length: result.length };
  return { results: [{ ...members, result: start }], whole };
}

/**
 * Finds what only the entire input and result show.
 * @param {Job} job
 * @param {Reply} reply
 * @returns {Promise<Partial<Reply>>}
 */
async function examine({ name, values, file }, { results, whole, error }) {
  const { input = "" } = values;
  const contents = (results ?? []).map(({ result }) => result);
  const isText = contents.every((content) => typeof content === "string");
  const result = isText ? contents.join("\n") : "";
  const repaired = error?.isJson ? await repair(input) : undefined;
  return {
    suggestions: suggest(name, values, { result, error, repaired }),
    inputBytes: file?.size ?? texts.countBytes(input),
    resultBytes: countBytes(whole?.content ?? (isText ? result : contents[0])),
    lineEndings: texts.nameLineEndings(input),
    hasBlocks: name === "json" && texts.hasBlocks(result),
  };
}

/** @param {string | Blob | Uint8Array | undefined} content */
function countBytes(content = "") {
  if (content instanceof Blob) return content.size;
  return typeof content === "string"
    ? texts.countBytes(content)
    : content.length;
}

/**
 * Returns the name of a failure: of a file that can't be read, of missing
 * memory, or an empty string for a fault of the page.
 * @param {unknown} error
 */
function nameFailure(error) {
  // A string, an array or a buffer would be larger than the browser permits.
  if (error instanceof RangeError) return "RangeError";
  if (error instanceof DOMException) return error.name;
  // Shows the fault in the console.
  reportError(error);
  return "";
}
