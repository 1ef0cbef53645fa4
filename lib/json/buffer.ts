/**
 * Returns a buffer with the same content, shortened or extended by zeros to a new length.
 * The old buffer must not be used any more; its memory is freed at once.
 */
export function resize(buffer: ArrayBuffer, byteLength: number): ArrayBuffer {
  // Node 20 has no `transfer()`: the garbage collector has to free the old buffer.
  if ("transfer" in ArrayBuffer.prototype) return buffer.transfer(byteLength);
  const resized = new Uint8Array(byteLength);
  resized.set(new Uint8Array(buffer).subarray(0, byteLength));
  return resized.buffer;
}
