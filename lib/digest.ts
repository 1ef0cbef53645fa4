/** Computes digests (FIPS 180-4), in lower-case hexadecimal. */

export type Algorithm = "sha1" | "sha256" | "sha512";

/** The names of the algorithms in Web Crypto. */
const WEB_CRYPTO_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

/**
 * Largest input that is hashed by Web Crypto, in bytes, inclusive. Larger ones are hashed
 * chunk by chunk by `node:crypto`, which takes as long to load as Deno to start.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** Returns the digest of bytes. */
export async function digestBytes(
  algorithm: Algorithm,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = WEB_CRYPTO_NAMES[algorithm];
  return new Uint8Array(await crypto.subtle.digest(name, bytes)).toHex();
}

/** Returns the digest of bytes that come in chunks. A large input is not held in memory. */
export async function digestStream(
  algorithm: Algorithm,
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
  return await digestBytes(algorithm, await new Blob(chunks).bytes());
}
