import type { Bytes } from "../buffer.ts";

/**
 * Largest input that is hashed by Web Crypto, in bytes, inclusive. A larger input is hashed
 * chunk by chunk by `node:crypto`, whose loading takes as long as the start of Deno.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** Time until progress is shown, and between two updates, in milliseconds. */
const PROGRESS_MS = 1_000;

/** Moves the cursor to the start of the line, and clears the line (ECMA-48). */
const CLEAR_LINE = "\r\x1b[K";

/**
 * Returns the digest of an input in lowercase hexadecimal. An input of more than 1 MiB is
 * not held in memory as a whole, and its progress is shown on a terminal.
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
  using progress = new Progress();
  for await (const chunk of input) {
    held.push(chunk);
    byteLength += chunk.byteLength;
    if (byteLength <= MAX_WHOLE_BYTES) continue;
    hash ??= await loadHash(algorithm);
    for (const each of held.splice(0)) hash.update(each);
    progress.update(byteLength);
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

/** A line on standard error, if that is a terminal, which disposal clears. */
class Progress {
  #nextAt = performance.now() + PROGRESS_MS;
  #isShown = false;

  /** Shows the number of bytes hashed so far, at most once a second. */
  update(byteLength: number): void {
    if (performance.now() < this.#nextAt || !Deno.stderr.isTerminal()) return;
    this.#nextAt += PROGRESS_MS;
    this.#isShown = true;
    this.#write(`${CLEAR_LINE}hashed ${Math.floor(byteLength / 1e6)} MB`);
  }

  [Symbol.dispose](): void {
    if (this.#isShown) this.#write(CLEAR_LINE);
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}
