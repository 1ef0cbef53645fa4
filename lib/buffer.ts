/** Bytes whose buffer is not shared between threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

const MIN_FREED_BYTES = 2 * 1024;

/**
 * Frees a large buffer, which the caller must not use afterward. The garbage collector would
 * free it later, so until then, other large buffers would need additional memory.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength >= MIN_FREED_BYTES) buffer.transfer(0);
}
