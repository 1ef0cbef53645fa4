/**
 * Computes a job in the worker: runs the operations of the service with the
 * values of a form, and finds all about the input and the result that takes
 * long for a long text.
 * @module
 */

import { createHashers } from "./hashers.js";
import { readKind } from "./kinds.js";
import { readOutcome } from "./outcome.js";
import { mayRepair, repair } from "./repair.js";
import { suggest } from "./suggestions.js";
import * as texts from "./text.js";
// @ts-types="../tools/operations.js"
import {
  InputError,
  JsonString,
  noYield,
  operations,
} from "./vendor/operations.js";

/** @import { CommandInput, ReadValue } from "../lib/operation/operation.ts" */

/** Size of a piece of a file: a multiple of three, for Base64. */
const PIECE_BYTES = 3 * 1_048_576;

/**
 * Largest formatted JSON, in bytes: browsers have no strings of more than about
 * 500 MB.
 */
const MAX_RESULT_BYTES = 250_000_000;

/** Longest result that the page shows whole, in characters. */
const MAX_SHOWN = 5_000_000;

/** The same with lines so long that an editor shows them slowly. */
const MAX_SHOWN_LINES = 1_500_000;

/** Length of the start that is shown of a longer result. */
const SHOWN_START = 10_000;

const context = {
  yieldControl: noYield,
  getMaxResultBytes: () => MAX_RESULT_BYTES,
};

/**
 * Computes a job. Never rejects: every error is a reply.
 * @param {Job} job
 * @param {(progress: number) => void} onProgress Gets the part of the file that
 * has been read, from 0 to 1.
 * @returns {Promise<Reply>}
 */
export async function compute(job, onProgress) {
  try {
    if (job.isRepair) return { repaired: repair(job.values.input ?? "") };
    const reply = await shorten(await run(job, onProgress));
    return { ...reply, ...examine(job, reply) };
  } catch (error) {
    return { failure: nameFailure(error) };
  }
}

/**
 * Runs the operation, as often as the tool wants.
 * @param {Job} job
 * @param {(progress: number) => void} onProgress
 * @returns {Promise<Reply>}
 */
async function run({ name, values, changes, file }, onProgress) {
  const calls = changes.map((change) => ({ ...values, ...change }));
  if (file && name === "hash") return await hashFile(calls, file, onProgress);
  if (file) return await encodeFile(values, file, onProgress);
  try {
    const results = [];
    for (const call of calls) results.push(await runOperation(name, call));
    return { results };
  } catch (error) {
    if (error instanceof InputError) return { error: error.message };
    throw error;
  }
}

/**
 * @param {string} name
 * @param {Values} values
 * @returns {Promise<ResultMembers>}
 */
async function runOperation(name, values) {
  const read = createReader(values);
  try {
    const result = await operations[name]?.run(read, context);
    const members = Object.entries({ ...result }).map((
      [key, value],
    ) => /** @type {const} */ (
      [key, value instanceof JsonString ? value.toString() : value]
    ));
    return Object.fromEntries(members);
  } catch (error) {
    const isBinary = error instanceof InputError &&
      error.kind === "binary";
    if (!isBinary) throw error;
    // The command decodes to bytes.
    const bytes = new TextEncoder().encode(values.input);
    return await runCommand(name, values, {
      readBytes: () => Promise.resolve(bytes),
      takesBytes: true,
    });
  }
}

/**
 * Runs the command of an operation, whose input is bytes.
 * @param {string} name
 * @param {Values} values
 * @param {Partial<CommandInput>} input
 * @returns {Promise<ResultMembers>}
 */
function runCommand(name, values, input) {
  const { command } = /** @type {any} */ (operations[name]);
  return command.run(createReader(values), input);
}

/**
 * @param {Values} values
 * @returns {ReadValue}
 */
function createReader(values) {
  return (name, parameter) => parameter.fromText(name, values[name]);
}

/**
 * Reads a file piece by piece, and tells the progress.
 * @param {Blob} file
 * @param {(progress: number) => void} onProgress
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
async function* readPieces(file, onProgress) {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = file.slice(at, at + PIECE_BYTES);
    yield new Uint8Array(await piece.arrayBuffer());
    onProgress((at + piece.size) / file.size);
  }
}

/**
 * Computes all digests of a file in one reading.
 * @param {readonly Values[]} calls
 * @param {Blob} file
 * @param {(progress: number) => void} onProgress
 * @returns {Promise<Reply>}
 */
async function hashFile(calls, file, onProgress) {
  const hashers = await createHashers();
  for (const hasher of hashers.values()) hasher.init();
  for await (const piece of readPieces(file, onProgress)) {
    for (const hasher of hashers.values()) hasher.update(piece);
  }
  const digest = (/** @type {string} */ algorithm) =>
    Promise.resolve(hashers.get(algorithm)?.digest() ?? "");
  const results = [];
  for (const call of calls) {
    results.push(await runCommand("hash", call, { digest }));
  }
  return { results };
}

/**
 * Encodes a file. Keeps the pieces as blobs, which the browser may store on
 * disk.
 * @param {Values} values
 * @param {File} file
 * @param {(progress: number) => void} onProgress
 * @returns {Promise<Reply>}
 */
async function encodeFile(values, file, onProgress) {
  const parts = [];
  if (values.encoding === "data-url") {
    // By its first bytes, or else as the browser names it.
    const { type } = await readKind(file) ?? file;
    parts.push(`data:${type || "application/octet-stream"};base64,`);
  }
  for await (const piece of readPieces(file, onProgress)) {
    const { result } = await runCommand("base64", values, {
      readBytes: () => Promise.resolve(piece),
      takesBytes: true,
    });
    parts.push(new Blob([String(result)]));
  }
  return { results: [{ result: new Blob(parts) }] };
}

/**
 * Replaces a result that is too long to be shown by its start.
 * @param {Reply} reply
 * @returns {Promise<Reply>}
 */
async function shorten(reply) {
  const [members, second] = reply.results ?? [];
  const { result } = members ?? {};
  if (second) return reply;
  if (result instanceof Blob) {
    const { size } = result;
    if (size <= MAX_SHOWN_LINES) {
      return { results: [{ ...members, result: await result.text() }] };
    }
    const start = await result.slice(0, SHOWN_START).text();
    return shortenTo(start, { ...members }, { content: result, length: size });
  }
  if (typeof result !== "string") return reply;
  const { length } = result;
  if (length <= MAX_SHOWN && !texts.isHeavy(result, MAX_SHOWN_LINES)) {
    return reply;
  }
  // A blob would replace halves of surrogate pairs.
  const content = result.isWellFormed() ? new Blob([result]) : result;
  const start = result.slice(0, SHOWN_START).toWellFormed();
  return shortenTo(start, { ...members }, { content, length });
}

/**
 * @param {string} start
 * @param {ResultMembers} members
 * @param {Whole} whole
 * @returns {Reply}
 */
function shortenTo(start, members, whole) {
  return { results: [{ ...members, result: start }], whole };
}

/**
 * Finds what is known about a computation only by its whole texts.
 * @param {Job} job
 * @param {Reply} reply
 * @returns {Partial<Reply>}
 */
function examine({ name, values, file }, reply) {
  const { input = "" } = values;
  const located = reply.error && texts.namePlace(reply.error, input);
  const outcome = readOutcome(name, values, { ...reply, located });
  const { result = "" } = outcome;
  return {
    located,
    offset: texts.findPosition(reply.error ?? outcome.wrong ?? "", input),
    suggestions: suggest(name, values, outcome),
    sizes: measure(values.input, file, outcome),
    lineEnds: texts.nameLineEnds(input),
    mayRepair: outcome.isInvalidJson && mayRepair(input),
    hasBlocks: name === "json" && texts.hasBlocks(result),
  };
}

/**
 * Returns the sizes to show, in bytes: of the input, and of a result that is a
 * text or bytes, but not of digests or a note. Returns no sizes for a tool
 * without an input, and for an empty input without digests.
 * @param {string | undefined} input
 * @param {File | undefined} file
 * @param {Outcome} outcome
 */
function measure(input, file, { result, digests, note, bytes, whole }) {
  if (input === undefined) return [];
  if (input === "" && !digests && !file) return [];
  const size = file?.size ?? texts.countBytes(input);
  if (bytes) return [size, bytes.length];
  if (result === undefined || digests || note) return [size];
  const content = whole ?? result;
  const isBlob = content instanceof Blob;
  return [size, isBlob ? content.size : texts.countBytes(content)];
}

/**
 * Returns the name of a failure: that of a file that cannot be read, of memory
 * that is not there, or an empty text for a mistake of the page.
 * @param {unknown} error
 */
function nameFailure(error) {
  // A string, an array or a buffer would be larger than the browser permits.
  if (error instanceof RangeError) return "RangeError";
  if (error instanceof DOMException) return error.name;
  // Lets the mistake be seen in the console.
  reportError(error);
  return "";
}
