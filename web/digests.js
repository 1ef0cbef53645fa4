/**
 * Writes digests in hexadecimal, Base64 and as `integrity`, and compares them
 * with an expected digest. Uses no DOM.
 * @module
 */

// @ts-types="../tools/operations.js"
import {
  ALGORITHM_NAMES,
  describeRefusal,
  findDigest,
} from "./vendor/operations.js";

/** Most UTF-16 code units of the name of a file that a sentence shows. */
const MAX_NAME = 40;

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
 * Returns the sentence that says whether the digest that a text has for a file
 * is the one computed. It begins with ✓ or ✗.
 * @param {string} expected A digest, or a list of digests, in any notation that
 * `findDigest()` reads.
 * @param {{ digests: Readonly<Record<string, string>>, file?: string | undefined }} input
 * `digests` are the computed ones by algorithm, in lower-case hexadecimal;
 * `file` is the name of the file, if the input is one.
 */
export function compareDigest(expected, { digests, file }) {
  const found = findDigest(expected, file);
  if ("rule" in found) return `✗ The text ${describeRefusal(found, quote)}`;
  const { algorithm, hex, line } = found;
  const isList = expected.trim().includes("\n");
  const place = isList ? ` in line ${line}` : "";
  const name = `${ALGORITHM_NAMES[algorithm]}${place}`;
  return digests[algorithm] === hex
    ? `✓ Equal: ${name}`
    : `✗ Not equal to ${name}`;
}

/** @param {string} file */
function quote(file) {
  return `“${file.slice(0, MAX_NAME)}”`;
}
