/**
 * Writes digests in hexadecimal, Base64 and as `integrity`, and compares them
 * with an expected digest. Uses no DOM.
 * @module
 */

// @ts-types="../tools/operations.js"
import { ALGORITHM_NAMES, findDigests } from "./vendor/operations.js";

/**
 * Writes a digest in a form of the menu “Copy as”.
 * @param {string} algorithm
 * @param {string} hex In lower case.
 * @param {string} form `hex`, `upper` (upper-case hexadecimal), `base64`, or
 * `integrity`, such as `sha256-…` in attributes of HTML and in a
 * Content-Security-Policy.
 */
export function formatDigest(algorithm, hex, form) {
  const base64 = Uint8Array.fromHex(hex).toBase64();
  if (form === "base64") return base64;
  if (form === "integrity") return `${algorithm}-${base64}`;
  return form === "upper" ? hex.toUpperCase() : hex;
}

/**
 * Returns the sentence that reports whether the digest that a text has for a
 * file is the computed one. It begins with ✓ or ✗.
 * @param {string} expected A digest, or a list of digests, as `findDigests()`
 * reads it.
 * @param {{ digests: Readonly<Record<string, string>>, file?: string | undefined }} input
 * `digests` are the computed ones by algorithm, in lower-case hexadecimal;
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
    ? `✓ Equal: ${name}`
    : `✗ Not equal to ${name}`;
}
