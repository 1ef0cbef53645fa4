import type { Bytes } from "../values/buffer.ts";

/**
 * Largest input that is hashed by Web Crypto, in bytes, inclusive. A larger input is hashed
 * chunk by chunk by `node:crypto`, whose loading takes as long as the start of Deno.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

/**
 * Returns the digest of bytes that come in chunks, in lower-case hexadecimal. An input of
 * more than 1 MiB is not held in memory as a whole.
 *
 * @param algorithm Name of the algorithm in Web Crypto.
 */
export async function digestStream(
  algorithm: "SHA-1" | "SHA-256" | "SHA-512",
  input: AsyncIterable<Bytes>,
): Promise<string> {
  const held: Bytes[] = [];
  let byteLength = 0;
  let hash: import("node:crypto").Hash | undefined;
  for await (const chunk of input) {
    held.push(chunk);
    byteLength += chunk.byteLength;
    if (byteLength <= MAX_WHOLE_BYTES) continue;
    hash ??= await loadHash(algorithm);
    for (const each of held.splice(0)) hash.update(each);
  }
  if (hash !== undefined) return hash.digest("hex");
  const bytes = await new Blob(held).bytes();
  return new Uint8Array(await crypto.subtle.digest(algorithm, bytes)).toHex();
}

async function loadHash(
  algorithm: string,
): Promise<import("node:crypto").Hash> {
  const { createHash } = await import("node:crypto");
  return createHash(algorithm.replace("-", ""));
}
