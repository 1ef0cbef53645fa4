/** Bytes, and functions that resize and free their buffers. */

/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Smallest buffer that `freeBuffer()` frees, in bytes. */
const MIN_FREED_BYTES = 2 * 1024;

/**
 * Returns a buffer with the content of another one, shortened or extended by zeros to a new
 * length. The old buffer must not be used any more. Its memory is freed at once if the
 * runtime has `ArrayBuffer.prototype.transfer()`.
 */
export function resize(buffer: ArrayBuffer, byteLength: number): ArrayBuffer {
  // Node 20 has no `transfer()`: the garbage collector frees the old buffer later.
  if ("transfer" in ArrayBuffer.prototype) return buffer.transfer(byteLength);
  const resized = new Uint8Array(byteLength);
  resized.set(new Uint8Array(buffer).subarray(0, byteLength));
  return resized.buffer;
}

/**
 * Frees the memory of a buffer at once, if the runtime has
 * `ArrayBuffer.prototype.transfer()`: the garbage collector would free the memory late, and
 * the next large buffers would take new memory. The buffer must not be used any more.
 * Buffers of less than 2 KiB are left to the garbage collector.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= MIN_FREED_BYTES) resize(buffer, 0);
}
