/** Computes digests of bytes that come in chunks (FIPS 180-4). */

/**
 * Largest input that is hashed by Web Crypto, in bytes, inclusive. Larger ones are hashed
 * chunk by chunk by `node:crypto`, which takes as long to load as Deno to start.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** Returns the digest in lower-case hexadecimal. A large input is not held in memory. */
export async function computeDigest(
  algorithm: "sha1" | "sha256" | "sha512",
  input: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;
  let hash: import("node:crypto").Hash | undefined;
  for await (const chunk of input) {
    chunks.push(chunk);
    byteLength += chunk.byteLength;
    if (byteLength <= MAX_WHOLE_BYTES) continue;
    hash ??= (await import("node:crypto")).createHash(algorithm);
    for (const chunk of chunks.splice(0)) hash.update(chunk);
  }
  if (hash !== undefined) return hash.digest("hex");
  const name = algorithm.replace("sha", "SHA-");
  const digest = crypto.subtle.digest(name, await new Blob(chunks).bytes());
  return new Uint8Array(await digest).toHex();
}
