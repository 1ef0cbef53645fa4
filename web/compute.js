/**
 * Computes a job in the worker: runs the operations of the service, and finds
 * everything about input and result that is slow for long text.
 * @module
 */

import { createHashers } from "./hashers.js";
import { readKind } from "./kinds.js";
import { repair } from "./repair.js";
import { parseToken, suggest } from "./suggestions.js";
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
 * Returns the values of each call. Hash computes all digests, and Base64 decodes
 * the parts of a JSON Web Token.
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
  const parts = isDecoded ? parseToken(values.input ?? "") : undefined;
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
  const lineAndColumn = offset === undefined
    ? undefined
    : position?.lineAndColumn ?? texts.locate(input, offset);
  const isJson = kind === "json";
  return { parameters, requirement, reason, isJson, offset, lineAndColumn };
}

/**
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
 * Encodes a file to blobs, which the browser can store on disk.
 * @param {Values} values
 * @param {File} file
 * @param {(progress: number) => void} onProgress
 */
async function encodeFile(values, file, onProgress) {
  const parts = [];
  if (values.encoding === "data-url") {
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
  const isBlob = result instanceof Blob;
  if (second || !isBlob && typeof result !== "string") return { results };
  const length = isBlob ? result.size : result.length;
  const end = length > MAX_SHOWN ? SHOWN_START : length;
  const start = isBlob
    ? await result.slice(0, end).text()
    : result.slice(0, end).toWellFormed();
  const fullResult = end < length
    ? { content: new Blob([result]), length }
    : undefined;
  return { results: [{ ...members, result: start }], fullResult };
}

/**
 * @param {Job} job
 * @param {Reply} reply
 * @returns {Promise<Partial<Reply>>}
 */
async function examine({ name, values, file }, { results, fullResult, error }) {
  const { input = "" } = values;
  const contents = (results ?? []).map(({ result = "" }) => result);
  const isText = contents.every((content) => typeof content === "string");
  const result = isText ? contents.join("\n") : "";
  const repaired = error?.isJson ? await repair(input) : undefined;
  return {
    suggestions: suggest(name, values, { result, error, repaired }),
    inputBytes: (file ?? new Blob([input])).size,
    resultBytes:
      (fullResult?.content ?? new Blob(isText ? [result] : contents)).size,
    lineEndings: texts.nameLineEndings(input),
    blocks: name === "json" ? texts.findBlocks(result) : [],
  };
}

/**
 * Returns the name of an error that has a message of its own in outcome.js, or an
 * empty string.
 * @param {unknown} error
 */
function nameFailure(error) {
  // A string or buffer would be larger than the browser permits.
  if (error instanceof RangeError) return "RangeError";
  if (error instanceof DOMException) return error.name;
  reportError(error);
  return "";
}
