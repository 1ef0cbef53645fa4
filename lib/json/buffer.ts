/**
 * Returns a buffer with the content of another one and a new length. The other one must
 * not be used any more; its memory is freed at once.
 */
export function resize(buffer: ArrayBuffer, byteLength: number): ArrayBuffer {
  // Node 20 has no `transfer()`; there the garbage collector frees the old buffer.
  if ("transfer" in ArrayBuffer.prototype) return buffer.transfer(byteLength);
  const resized = new Uint8Array(byteLength);
  resized.set(new Uint8Array(buffer).subarray(0, byteLength));
  return resized.buffer;
}
