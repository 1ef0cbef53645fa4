/**
 * This module has one buffer that is used again and again, for bytes that are needed only
 * briefly. To allocate and fill new memory takes up to ten times as long as to fill this
 * buffer.
 */

/** Size of the shared buffer, in bytes: the same as the default limit for request bodies. */
export const SCRATCH_BYTES = 1024 * 1024;

const utf8Encoder = new TextEncoder();

/**
 * The shared buffer, created at the first call of `takeScratch()`. Parts that have never
 * been written to take no memory.
 */
let buffer: Uint8Array<ArrayBuffer> | undefined;

/** Returns the shared buffer. The caller may use it until a function of this module is called again. */
export function takeScratch(): Uint8Array<ArrayBuffer> {
  return buffer ??= new Uint8Array(SCRATCH_BYTES);
}

/**
 * Encodes a text as UTF-8. If the bytes fit in the shared buffer, they are valid only until
 * a function of this module is called again.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const scratch = takeScratch();
  const { read, written } = utf8Encoder.encodeInto(text, scratch);
  return read === text.length
    ? scratch.subarray(0, written)
    : utf8Encoder.encode(text);
}
