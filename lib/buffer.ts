/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

const MIN_FREED_BYTES = 2 * 1024;

/**
 * Frees a large buffer, which the caller must not use afterward. The garbage collector would
 * free it late, and the next large buffers would allocate new memory.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= MIN_FREED_BYTES) buffer.transfer(0);
}
