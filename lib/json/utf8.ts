/**
 * The form in which JSON texts are scanned: UTF-8 bytes, since they are read twice as
 * fast as the code units of a string.
 *
 * @module
 */

/**
 * The UTF-8 bytes of a text, with a zero byte behind the end. Each token ends there at
 * the latest: a read behind the end of an array would make V8 compile slower code, for
 * all later texts.
 */
export type TextBytes = Uint8Array<ArrayBuffer>;

const utf8Encoder = new TextEncoder();

/** Copies the UTF-8 bytes of a text, and adds the zero byte. */
export function terminate(bytes: Uint8Array): TextBytes {
  const terminated = new Uint8Array(bytes.byteLength + 1);
  terminated.set(bytes);
  return terminated;
}

/**
 * Encodes a text without loss: a lone surrogate has the three bytes that UTF-8 would
 * use if it allowed surrogates (WTF-8, section 3).
 */
export function encodeText(text: string): TextBytes {
  if (text.isWellFormed()) {
    const { buffer } = utf8Encoder.encode(text);
    return new Uint8Array(resize(buffer, buffer.byteLength + 1));
  }
  const bytes = new Uint8Array(3 * text.length + 1);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (code < 0x80) bytes[length++] = code;
    else {
      if (code < 0x800) bytes[length++] = 0xc0 | code >> 6;
      else {
        if (code < 0x10000) bytes[length++] = 0xe0 | code >> 12;
        else {
          bytes[length++] = 0xf0 | code >> 18;
          bytes[length++] = 0x80 | code >> 12 & 0x3f;
          // The code point has two code units.
          at += 1;
        }
        bytes[length++] = 0x80 | code >> 6 & 0x3f;
      }
      bytes[length++] = 0x80 | code & 0x3f;
    }
  }
  return new Uint8Array(resize(bytes.buffer, length + 1));
}

/** Whether a byte is one behind the first of a character. */
export function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Returns the code point at an offset, in bytes; `undefined` at the end of the text. */
export function readCodePoint(
  bytes: TextBytes,
  at: number,
): number | undefined {
  if (at >= bytes.length - 1) return undefined;
  const lead = bytes[at]!;
  if (lead < 0x80) return lead;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let code = lead & 0x7f >> length;
  for (let i = 1; i < length; i += 1) code = code << 6 | bytes[at + i]! & 0x3f;
  return code;
}

/** Resizes a buffer, which must not be used any more, and frees the rest of it at once. */
export function resize(buffer: ArrayBuffer, byteLength: number): ArrayBuffer {
  // Node 20 has no `transfer()`; there the garbage collector frees the old buffer.
  if ("transfer" in ArrayBuffer.prototype) return buffer.transfer(byteLength);
  const resized = new Uint8Array(byteLength);
  resized.set(new Uint8Array(buffer).subarray(0, byteLength));
  return resized.buffer;
}
