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
