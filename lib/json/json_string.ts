import type { Bytes } from "../values/buffer.ts";

/** Number of free bytes on each side of the string in the buffer of a `JsonString`. */
const MARGIN_BYTES = 128;

const QUOTE = 0x22;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

/**
 * A text as a JSON string in UTF-8: in quotes and with escapes (RFC 8259, section 7). The
 * buffer has free bytes before and after the string. If the string is the value of a member
 * of a JSON object, `surround()` writes the rest of the object into the free bytes, so that
 * a large string is not copied, if the rest is ASCII and fits.
 */
export class JsonString {
  /**
   * The string in quotes, with 128 free bytes on each side. The user of the class writes
   * the bytes between the quotes.
   */
  readonly buffer: Bytes;
  /** Offset in `buffer` of the first byte between the quotes. */
  readonly start = MARGIN_BYTES + 1;
  /** Offset in `buffer` of the closing quote. */
  readonly end: number;

  /** @param byteLength Number of bytes between the quotes. */
  constructor(byteLength: number) {
    this.buffer = new Uint8Array(JsonString.measure(byteLength));
    this.end = this.start + byteLength;
    this.buffer[this.start - 1] = QUOTE;
    this.buffer[this.end] = QUOTE;
  }

  /** Returns the size of `buffer`, in bytes, for a number of bytes between the quotes. */
  static measure(byteLength: number): number {
    return byteLength + 2 + 2 * MARGIN_BYTES;
  }

  /**
   * Returns a JSON text that consists of `before`, the string in quotes, and `after`. If
   * `before` and `after` are ASCII, with at most 128 characters each, the returned bytes
   * are a part of `buffer`, in which a later call may overwrite them; otherwise they are a
   * copy.
   */
  surround(before: string, after: string): Bytes {
    const notationEnd = this.end + 1;
    if (fitsIntoMargin(before) && fitsIntoMargin(after)) {
      const head = MARGIN_BYTES - before.length;
      writeAscii(before, this.buffer, head);
      writeAscii(after, this.buffer, notationEnd);
      return this.buffer.subarray(head, notationEnd + after.length);
    }
    const notation = this.buffer.subarray(MARGIN_BYTES, notationEnd);
    return concatenate([
      utf8Encoder.encode(before),
      notation,
      utf8Encoder.encode(after),
    ]);
  }

  /** Returns the text without quotes and escapes. */
  toString(): string {
    return JSON.parse(utf8Decoder.decode(this.surround("", "")));
  }

  /** Is called by `JSON.stringify()`, which writes the returned text as a string. */
  toJSON(): string {
    return this.toString();
  }
}

/**
 * Whether a text is ASCII, so that each character is one byte, and has at most 128 bytes.
 */
function fitsIntoMargin(text: string): boolean {
  return text.length <= MARGIN_BYTES && !/[\u0080-\uffff]/.test(text);
}

function writeAscii(text: string, bytes: Bytes, at: number): void {
  for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
}

function concatenate(parts: readonly Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
