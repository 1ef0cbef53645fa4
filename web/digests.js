/**
 * Writes digests in hexadecimal, Base64 and as `integrity`, and compares them
 * with an expected digest. Uses no DOM.
 * @module
 */

import { readDigests } from "./digest_notation.js";

/** Names of the algorithms as the page shows them. */
const NAMES = new Map([
  ["sha1", "SHA-1"],
  ["sha256", "SHA-256"],
  ["sha512", "SHA-512"],
]);

/** Algorithm names by the length of a digest in hexadecimal digits. */
const LENGTH_NAMES = new Map([[40, "SHA-1"], [64, "SHA-256"], [
  128,
  "SHA-512",
]]);

/**
 * Writes a digest in a form of the menu “Copy as”.
 * @param {string} algorithm
 * @param {string} hex In lower case.
 * @param {string} form `hex`, `upper` (upper-case hexadecimal), `base64`, or
 * `integrity`, such as `sha256-…` in attributes of HTML and in a
 * Content-Security-Policy.
 */
export function formatDigest(algorithm, hex, form) {
  if (form === "hex") return hex;
  if (form === "upper") return hex.toUpperCase();
  const bytes = hex.replaceAll(/../g, (digits) => {
    return String.fromCharCode(parseInt(digits, 16));
  });
  return form === "base64" ? btoa(bytes) : `${algorithm}-${btoa(bytes)}`;
}

/**
 * Returns the sentence that says whether a text contains one of the digests. It
 * begins with ✓ or ✗.
 * @param {string} expected A digest in any notation that `readDigests()` reads,
 * perhaps within other text. Only the first 4,096 characters are read.
 * @param {readonly string[]} digests In lower-case hexadecimal.
 */
export function compareDigest(expected, digests) {
  const found = readDigests(expected);
  const equal = found.find(({ hex }) => digests.includes(hex));
  if (equal) return `✓ Equal: ${LENGTH_NAMES.get(equal.hex.length)}`;
  const known = found.find(({ algorithm }) => NAMES.has(algorithm));
  if (known) return `✗ Not equal to ${NAMES.get(known.algorithm)}`;
  const reason = describeOther(found[0]);
  return `✗ Not a SHA-1, SHA-256 or SHA-512 digest${reason}`;
}

/**
 * Returns the end of the sentence “Not a SHA-1, SHA-256 or SHA-512 digest”: the
 * algorithm of `digest`, or else its length. Empty without a digest.
 * @param {import("./digest_notation.js").WrittenDigest | undefined} digest
 */
function describeOther(digest) {
  if (digest === undefined) return "";
  if (digest.algorithm !== "") return `, but ${digest.algorithm.toUpperCase()}`;
  return `: ${digest.hex.length} hexadecimal digits`;
}
