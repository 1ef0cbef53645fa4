/**
 * Computes the digests and the Base64 of a file in the browser, so that the
 * file is not sent to the service. Uses no DOM.
 * @module
 */

import { readKind } from "./kinds.js";
import { describeBytes, describeSize } from "./text.js";

/**
 * Largest file to hash, in bytes. Web Crypto needs all bytes at once, and
 * copies them.
 */
const MAX_DIGEST_BYTES = 512 * 1024 * 1024;
/**
 * Largest file to encode, in bytes. The page keeps the whole Base64 of the
 * file, in blobs.
 */
const MAX_ENCODE_BYTES = 100 * 1024 * 1024;

/**
 * Longest Base64 or data URL of a file that the editor shows whole, in
 * characters.
 */
const MAX_SHOWN = 1_500_000;

/**
 * Length of the start that is shown of a Base64 or data URL longer than
 * `MAX_SHOWN`, in characters.
 */
const SHOWN_START = 10_000;

/** Messages on failures, by the name of the `DOMException`. */
const FAILURES = new Map([
  ["NotReadableError", "The file cannot be read."],
  ["NotFoundError", "The file is no longer there."],
  [
    "NetworkError",
    "The service cannot be reached, so this page cannot load " +
    "its script that computes digests.",
  ],
]);

/**
 * Size of a piece to encode, in bytes. It is a multiple of three, so that only
 * the Base64 of the last piece has padding.
 */
const PIECE_BYTES = 3_145_728;

/**
 * Computes the result for a file: its digests in the tool `hash`, its Base64 in
 * any other tool. The outcome is a failure if the file cannot be read, the
 * worker for digests cannot be loaded, or `signal` aborts.
 * @param {string} tool
 * @param {File} file
 * @param {Values} values
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
export async function compute(tool, file, values, signal) {
  try {
    const outcome = tool === "hash"
      ? await computeDigests(file, values, signal)
      : await encodeFile(file, values, signal);
    return { ...outcome, isLocal: true };
  } catch (error) {
    if (signal.aborted) return { failure: "The computation was cancelled." };
    const failure = FAILURES.get(Object(error).name);
    if (failure === undefined) throw error;
    return { failure };
  }
}

/**
 * Computes the digests of a file. Without Web Crypto, and for a file larger
 * than `MAX_DIGEST_BYTES`, the outcome is an error.
 * @param {File} file
 * @param {Values} values
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function computeDigests(file, { algorithm = "" }, signal) {
  // A page over plain HTTP has no Web Crypto, unless it comes from localhost.
  if (!globalThis.crypto?.subtle) {
    const wrong = "This page came over plain HTTP, and browsers compute " +
      "digests of files only for pages over HTTPS. The service computes " +
      "those of text files up to its limit.";
    return { wrong };
  }
  if (file.size > MAX_DIGEST_BYTES) return refuse(file, MAX_DIGEST_BYTES);
  const digests = await askWorker(file, signal);
  const result = digests[algorithm] ?? "";
  const spoken = `SHA-${algorithm.slice(3)}: ${result}`;
  return { result, digests, spoken };
}

/**
 * Lets a worker compute the digests of a file. Returns the digests in
 * hexadecimal, by algorithm.
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, string>>}
 * @throws {DOMException} `NotReadableError` if the worker cannot compute,
 * `NetworkError` if it cannot be loaded, or the reason of `signal`.
 */
function askWorker(file, signal) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const worker = new Worker("digest_worker.js", { type: "module" });
  worker.onmessage = ({ data: digests }) => {
    if (digests) {
      resolve(digests);
    } else {
      reject(new DOMException("unreadable", "NotReadableError"));
    }
  };
  worker.onerror = () => reject(new DOMException("no worker", "NetworkError"));
  signal.addEventListener("abort", () => reject(signal.reason));
  worker.postMessage(file);
  return promise.finally(() => worker.terminate());
}

/**
 * Encodes a file as Base64 or as a data URL, piece by piece. With the action
 * `decode`, and for a file larger than `MAX_ENCODE_BYTES`, the outcome is an
 * error.
 * @param {File} file
 * @param {Values} values
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function encodeFile(file, { action, variant, encoding }, signal) {
  if (action === "decode") {
    const wrong = "Base64 is a text: paste it, or drop a text file. " +
      `“${file.name}” can be encoded only.`;
    return { wrong };
  }
  if (file.size > MAX_ENCODE_BYTES) return refuse(file, MAX_ENCODE_BYTES);
  const isDataUrl = encoding === "data-url";
  const pieces = /** @type {BlobPart[]} */ ([]);
  if (isDataUrl) pieces.push(`data:${await findType(file)};base64,`);
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    signal.throwIfAborted();
    const piece = await encode(file.slice(start, start + PIECE_BYTES));
    const isUrlSafe = variant === "url";
    // Keeps the piece as a blob, which the browser may store on disk, unlike a
    // string.
    pieces.push(new Blob([isUrlSafe ? toUrlSafe(piece) : piece]));
  }
  signal.throwIfAborted();
  const whole = new Blob(pieces);
  if (whole.size <= MAX_SHOWN) return { result: await whole.text() };
  const result = await whole.slice(0, SHOWN_START).text();
  const count = (/** @type {number} */ size) => size.toLocaleString("en");
  const hint = `The first ${count(SHOWN_START)} of ${count(whole.size)} ` +
    "characters are shown. Copy and Download give all of them.";
  return { result, whole, hint };
}

/**
 * Encodes a blob as Base64, which is a part of the data URL that `FileReader`
 * makes of the blob.
 * @param {Blob} bytes
 * @returns {Promise<string>}
 * @throws {DOMException} If the blob cannot be read.
 */
function encode(bytes) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const reader = new FileReader();
  reader.onload = () => {
    const url = String(reader.result);
    resolve(url.slice(url.indexOf(",") + 1));
  };
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(bytes);
  return promise;
}

/**
 * Changes Base64 to the URL-safe alphabet, without padding.
 * @param {string} base64
 */
function toUrlSafe(base64) {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
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
 * Makes the outcome for a file that is larger than `limit`.
 * @param {File} file
 * @param {number} limit In bytes.
 * @returns {Outcome}
 */
function refuse({ name, size }, limit) {
  const isClose = describeSize(size) === describeSize(limit);
  const describe = isClose ? describeBytes : describeSize;
  const wrong = `“${name}” has ${describe(size)}; this page takes at most ` +
    `${describe(limit)}.`;
  return { wrong };
}
