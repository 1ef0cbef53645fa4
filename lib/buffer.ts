/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Smallest buffer that `freeBuffer()` frees, in bytes. */
const MIN_FREED_BYTES = 2 * 1024;

/**
 * Frees the memory of a buffer, which the caller must not use afterward. The garbage collector
 * would free it late, and the next large buffers would take new memory. Leaves buffers of less
 * than 2 KiB to the garbage collector.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= MIN_FREED_BYTES) buffer.transfer(0);
}
