/**
 * Memory for bytes that are used at once. To fill fresh memory of the same size takes up
 * to ten times as long, and the garbage collector has to free it (`docs/speed.md`).
 */

/** Size of the buffer, in bytes: for what a request of the default size contains. */
const SCRATCH_BYTES = 1024 * 1024;

const utf8Encoder = new TextEncoder();

/** One for all calls. The system gives a page of it when it is first written to. */
let buffer: Uint8Array<ArrayBuffer> | undefined;

/** A buffer whose content nobody needs any more: it holds until the next call in this module. */
export function takeScratch(): Uint8Array<ArrayBuffer> {
  return buffer ??= new Uint8Array(SCRATCH_BYTES);
}

/** Encodes a text as UTF-8, in the scratch memory if it fits: the bytes hold until the next call in this module. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const scratch = takeScratch();
  const { read, written } = utf8Encoder.encodeInto(text, scratch);
  return read === text.length
    ? scratch.subarray(0, written)
    : utf8Encoder.encode(text);
}
