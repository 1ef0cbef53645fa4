/**
 * One buffer that all calls share, for bytes that are needed for a short time only. Filling
 * newly allocated memory instead takes up to ten times as long, and the garbage collector
 * has to free that memory (`docs/speed.md`).
 */

/** Size of the buffer, in bytes: the same as the default limit for request bodies. */
export const SCRATCH_BYTES = 1024 * 1024;

const utf8Encoder = new TextEncoder();

/** The buffer, created at the first call. The operating system provides the memory of each part only when it is first written to. */
let buffer: Uint8Array<ArrayBuffer> | undefined;

/** Returns the shared buffer. The caller may use it until a function of this module is called again. */
export function takeScratch(): Uint8Array<ArrayBuffer> {
  return buffer ??= new Uint8Array(SCRATCH_BYTES);
}

/** Encodes a text as UTF-8, in the shared buffer if it fits: the bytes are valid until a function of this module is called again. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const scratch = takeScratch();
  const { read, written } = utf8Encoder.encodeInto(text, scratch);
  return read === text.length
    ? scratch.subarray(0, written)
    : utf8Encoder.encode(text);
}
