/** Bytes, and functions that resize and free their buffers. */

/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Largest freed block that glibc keeps after `keepFreedMemory()`, in bytes. */
const LARGEST_KEPT_BYTES = 8 * 1024 * 1024;

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

/**
 * Makes glibc, the C library of most Linux systems, keep freed memory for later buffers, up
 * to 16 MiB for each thread. By default glibc returns the memory of a large body to the
 * system when the body is freed, and the next body causes page faults. glibc gets large
 * blocks from the system one by one (`mmap`). After such a block is freed, blocks of up to
 * the size of this block come from the heap of glibc, which keeps free memory of up to
 * twice this size (mallopt(3), `M_MMAP_THRESHOLD`). Therefore the function allocates a
 * block of 8 MiB and frees it. With other C libraries this has no effect.
 */
export function keepFreedMemory(): void {
  freeBuffer(new ArrayBuffer(LARGEST_KEPT_BYTES));
}
