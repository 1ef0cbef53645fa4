/**
 * The worker that computes: runs the operations of the service in the browser.
 * It receives a `Job`, and replies with a `Reply`, perhaps after several
 * `Progress`. The policy of its response forbids every request but for scripts.
 * @module
 */

// @ts-types="../tools/operations.js"
import {
  createSHA1,
  createSHA256,
  createSHA512,
  doNotPause,
  InputError,
  JsonString,
  operations,
} from "./vendor/operations.js";

/** Size of a piece of a file: a multiple of three, for Base64. */
const PIECE_BYTES = 3 * 1_048_576;

/**
 * Largest formatted JSON, in bytes: browsers have no strings of more than about
 * 500 MB.
 */
const MAX_RESULT_BYTES = 250_000_000;

const caller = { pause: doNotPause, maxResultBytes: MAX_RESULT_BYTES };

const createHashers = {
  "SHA-1": createSHA1,
  "SHA-256": createSHA256,
  "SHA-512": createSHA512,
};

// Pages over plain HTTP, except from localhost, lack these functions.
if (!crypto.subtle) {
  const digest = async (
    /** @type {keyof typeof createHashers} */ algorithm,
    /** @type {Uint8Array} */ bytes,
  ) => {
    const hasher = await createHashers[algorithm]();
    return hasher.init().update(bytes).digest("binary");
  };
  const randomUUID = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = Number(bytes[6]) & 0x0f | 0x40;
    bytes[8] = Number(bytes[8]) & 0x3f | 0x80;
    return bytes.toHex().replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  Object.defineProperties(crypto, {
    subtle: { value: { digest } },
    randomUUID: { value: randomUUID },
  });
}

/**
 * Reads a file piece by piece, and tells the progress.
 * @param {Blob} file
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
async function* readPieces(file) {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = file.slice(at, at + PIECE_BYTES);
    yield new Uint8Array(await piece.arrayBuffer());
    postMessage({ progress: (at + piece.size) / file.size });
  }
}

/**
 * Computes all digests of a file, in lower-case hexadecimal, in one reading.
 * @param {Blob} file
 */
async function computeDigests(file) {
  const created = Object.entries(createHashers).map(async (
    [name, create],
  ) => /** @type {const} */ ([name, (await create()).init()]));
  const hashers = await Promise.all(created);
  for await (const piece of readPieces(file)) {
    for (const [, hasher] of hashers) hasher.update(piece);
  }
  return new Map(hashers.map(([name, hasher]) => [name, hasher.digest()]));
}

/**
 * Runs the command of an operation, whose input is bytes, with a file.
 * @param {Job} job
 * @param {File} file
 * @returns {Promise<Answer[]>}
 */
async function runWithFile({ name, calls }, file) {
  if (name === "hash") {
    const digests = await computeDigests(file);
    return await runCommand(name, calls, {
      digest: (algorithm) => Promise.resolve(digests.get(algorithm) ?? ""),
    });
  }
  // Keeps the pieces as blobs, which the browser may store on disk.
  const parts = [];
  for await (const piece of readPieces(file)) {
    const [answer] = await runCommand(name, calls, {
      readBytes: () => Promise.resolve(piece),
    });
    parts.push(new Blob([String(answer?.result)]));
  }
  return [{ result: new Blob(parts) }];
}

/**
 * @param {string} name
 * @param {readonly Values[]} calls
 * @param {Partial<import("../lib/operation/operation.ts").CommandInput>} input
 * @returns {Promise<Answer[]>}
 */
async function runCommand(name, calls, input) {
  const { command } = /** @type {any} */ (operations[name]);
  const answers = [];
  for (const texts of calls) {
    answers.push(await command.run(createReader(texts), input));
  }
  return answers;
}

/**
 * @param {Values} texts
 * @returns {import("../lib/operation/operation.ts").ReadValue}
 */
function createReader(texts) {
  return (name, parameter) => parameter.fromText(name, texts[name]);
}

/**
 * @param {Job} job
 * @returns {Promise<Answer[]>}
 */
async function run(job) {
  const { name, calls, file } = job;
  if (file) return await runWithFile(job, file);
  const answers = [];
  for (const texts of calls) answers.push(await runWithText(name, texts));
  return answers;
}

/**
 * @param {string} name
 * @param {Values} texts
 * @returns {Promise<Answer>}
 */
async function runWithText(name, texts) {
  const operation = operations[name];
  try {
    const answer = await operation?.run(createReader(texts), caller);
    return Object.fromEntries(
      Object.entries({ ...answer }).map((
        [key, value],
      ) => [key, value instanceof JsonString ? value.toString() : value]),
    );
  } catch (error) {
    const isBinary = error instanceof InputError &&
      error.rule.startsWith("must encode UTF-8 text");
    if (!isBinary) throw error;
    // The command decodes to bytes.
    const bytes = new TextEncoder().encode(texts.input);
    const [answer] = await runCommand(name, [texts], {
      readBytes: () => Promise.resolve(bytes),
    });
    return answer ?? {};
  }
}

/**
 * Returns the reply on an error of the input, of the file or of memory;
 * undefined for a mistake of the page.
 * @param {unknown} error
 * @returns {Reply | undefined}
 */
function describeError(error) {
  if (error instanceof InputError) return { error: error.message };
  if (error instanceof DOMException) return { failure: error.name };
  // A string, an array or a buffer would be larger than the browser permits.
  if (error instanceof RangeError) return { failure: error.name };
}

addEventListener("message", async ({ data: job }) => {
  try {
    postMessage({ answers: await run(job) });
  } catch (error) {
    const reply = describeError(error);
    if (reply) postMessage(reply);
    else reportError(error);
  }
});
