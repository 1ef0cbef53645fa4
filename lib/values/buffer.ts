/** Bytes, and functions that resize and free their buffers. */

/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Largest block that glibc keeps for later use, in bytes. */
const LARGEST_KEPT_BYTES = 8 * 1024 * 1024;

/** Smallest buffer that is freed before the garbage collector does it, in bytes. */
const MIN_FREED_BYTES = 2 * 1024;

/**
 * Returns a buffer with the same content, shortened or extended by zeros to a new length.
 * The old buffer must not be used any more; its memory is freed at once where the runtime
 * can do that.
 */
export function resize(buffer: ArrayBuffer, byteLength: number): ArrayBuffer {
  // Node 20 has no `transfer()`, which frees the old buffer at once. There the garbage
  // collector frees it later.
  if ("transfer" in ArrayBuffer.prototype) return buffer.transfer(byteLength);
  const resized = new Uint8Array(byteLength);
  resized.set(new Uint8Array(buffer).subarray(0, byteLength));
  return resized.buffer;
}

/**
 * Frees the memory of a buffer at once, where the runtime can do that: the garbage collector
 * would free it late, and the next large buffers would take new memory. The buffer must not
 * be used any more. Small buffers are left to the garbage collector.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= MIN_FREED_BYTES) resize(buffer, 0);
}

/**
 * Makes glibc, the C library of most Linux systems, keep freed memory for later buffers, up
 * to 16 MiB for each thread. By default it returns the memory of a large body to the system
 * when the body is freed, and the next body causes page faults. glibc gets large blocks
 * from the system one by one (`mmap`). When such a block is freed, later blocks of up to its
 * size come from glibc's own heap, which keeps up to twice that size of free memory
 * (mallopt(3), `M_MMAP_THRESHOLD`). With other C libraries this function has no effect.
 */
export function keepFreedMemory(): void {
  freeBuffer(new ArrayBuffer(LARGEST_KEPT_BYTES));
}
