/**
 * Formats digests, and compares them with an expected digest.
 * @module
 */

// @ts-types="../tools/operations.js"
import { ALGORITHM_NAMES, findDigests } from "./vendor/operations.js";

/**
 * Formats a digest in a notation of the menu “Copy as”.
 * @param {string} algorithm
 * @param {string} hex In lowercase.
 * @param {string} notation `hex`, `upper` (uppercase hexadecimal), `base64`, or
 * `integrity`, such as `sha256-…` in attributes of HTML and in a
 * Content-Security-Policy.
 */
export function formatDigest(algorithm, hex, notation) {
  const base64 = Uint8Array.fromHex(hex).toBase64();
  if (notation === "base64") return base64;
  if (notation === "integrity") return `${algorithm}-${base64}`;
  return notation === "upper" ? hex.toUpperCase() : hex;
}

/**
 * Returns a message that starts with ✓ or ✗ and reports whether a string contains
 * the computed digest.
 * @param {string} expected A digest, or a list of digests, as `findDigests()`
 * reads it.
 * @param {{ digests: Readonly<Record<string, string>>, file?: string | undefined }} input
 * `digests` are the computed ones by algorithm, in lowercase hexadecimal;
 * `file` is the name of the file, if the input is one.
 */
export function compareDigest(expected, { digests, file }) {
  const found = findDigests(expected, { path: file });
  if ("requirement" in found) {
    const { requirement, got } = found;
    return `✗ The text ${got ? `${requirement}, got ${got}` : requirement}`;
  }
  const name = ALGORITHM_NAMES[found.algorithm];
  return found.digests.includes(digests[found.algorithm] ?? "")
    ? `✓ ${name} matches`
    : `✗ ${name} doesn’t match`;
}
