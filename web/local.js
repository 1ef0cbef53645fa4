/**
 * Computes the digests and the Base64 of a file in the browser: a file is not
 * sent to the service. Uses no DOM.
 * @module
 */

import { readKind } from "./kinds.js";
import { describeSize } from "./text.js";

/**
 * Largest files to hash and to encode, in bytes. To hash a file, Web Crypto needs
 * all its bytes at once, and copies them. Base64 is written piece by piece.
 */
const MAX_DIGEST_BYTES = 512 * 1024 * 1024;
const MAX_ENCODE_BYTES = 100 * 1024 * 1024;

/** Longest Base64 in the editor, in characters; a longer one is shown in part. */
const MAX_SHOWN = 1_500_000;

/** Length of the part that is shown of longer Base64, in characters. */
const SHOWN_START = 10_000;

/** Messages to show, by the names of the exceptions that browsers throw. */
const FAILURES = new Map([
  ["NotReadableError", "The file cannot be read."],
  ["NotFoundError", "The file is no longer there."],
  [
    "NetworkError",
    "The service cannot be reached, so this page cannot load " +
    "its script that computes digests.",
  ],
]);

/** Size of a piece to encode, in bytes; a multiple of three. */
const PIECE_BYTES = 3_145_728;

/**
 * Computes what a tool makes of a file.
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
 * Computes the digests of a file. Without Web Crypto, and for a file that is too
 * large, the outcome is an error.
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
 * Lets a worker compute the digests of a file. Returns them by algorithm.
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, string>>}
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
 * Encodes a file as Base64 or as a data URL, piece by piece.
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
    // The browser may keep a blob on disk, which it cannot do with a string.
    pieces.push(new Blob([isUrlSafe ? toUrlSafe(piece) : piece]));
  }
  const whole = new Blob(pieces);
  if (whole.size <= MAX_SHOWN) return { result: await whole.text() };
  const result = await whole.slice(0, SHOWN_START).text();
  const count = (/** @type {number} */ size) => size.toLocaleString("en");
  const hint = `The first ${count(SHOWN_START)} of ${count(whole.size)} ` +
    "characters are shown. Copy and Download give all of them.";
  return { result, whole, hint };
}

/**
 * Encodes bytes as Base64 by the browser's own function for data URLs, which
 * takes a blob.
 * @param {Blob} bytes
 * @returns {Promise<string>}
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
 * names it.
 * @param {File} file
 */
async function findType(file) {
  const { type } = await readKind(file) ?? file;
  return type || "application/octet-stream";
}

/**
 * Makes the outcome for a file that is too large for the page.
 * @param {File} file
 * @param {number} limit Largest size, in bytes.
 * @returns {Outcome}
 */
function refuse({ name, size }, limit) {
  const wrong = `“${name}” has ${describeSize(size)}; this page takes at ` +
    `most ${describeSize(limit)}.`;
  return { wrong };
}
