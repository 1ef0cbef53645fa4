/**
 * A worker that computes the digests of a file. Chromium computes a digest on
 * the thread that asks for it, so a large file would block the page. The worker
 * receives a file, and replies with its digests in lower-case hexadecimal, or
 * with undefined on any error, for example if the file cannot be read.
 * @module
 */

/** Names of the algorithms in Web Crypto. */
const ALGORITHMS = { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" };

/**
 * @param {File} file
 * @returns {Promise<Record<string, string>>} The digests by algorithm.
 */
async function computeDigests(file) {
  const bytes = await file.arrayBuffer();
  const digests = /** @type {Record<string, string>} */ ({});
  // Computes one digest after the other, since each computation copies all
  // bytes.
  for (const [algorithm, name] of Object.entries(ALGORITHMS)) {
    const digest = await crypto.subtle.digest(name, bytes);
    digests[algorithm] = Array.from(new Uint8Array(digest), toHex).join("");
  }
  return digests;
}

/** @param {number} byte */
function toHex(byte) {
  return byte.toString(16).padStart(2, "0");
}

addEventListener("message", async ({ data: file }) => {
  const digests = await computeDigests(file).catch(() => undefined);
  postMessage(digests);
});
