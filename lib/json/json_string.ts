import type { Bytes } from "../values/buffer.ts";

/** Space on each side of the string for the JSON text that is written around it, in bytes. */
const MARGIN_BYTES = 128;

const QUOTE = 0x22;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

/**
 * A text in the notation of JSON, in UTF-8: in quotes and with escapes (RFC 8259, section
 * 7). A large text that is a member of a JSON object is written once in this notation, and
 * the other members are written around it, without a copy.
 */
export class JsonString {
  /**
   * The notation, with space around it. The bytes between the quotes are written by the
   * caller.
   */
  readonly buffer: Bytes;
  /** Offset in `buffer` of the first byte between the quotes. */
  readonly start = MARGIN_BYTES + 1;
  /** Offset in `buffer` of the quote at the end. */
  readonly end: number;

  /** @param byteLength Number of bytes between the quotes. */
  constructor(byteLength: number) {
    this.buffer = new Uint8Array(JsonString.measure(byteLength));
    this.end = this.start + byteLength;
    this.buffer[this.start - 1] = QUOTE;
    this.buffer[this.end] = QUOTE;
  }

  /** Returns the size of `buffer` for a number of bytes between the quotes. */
  static measure(byteLength: number): number {
    return byteLength + 2 + 2 * MARGIN_BYTES;
  }

  /**
   * Returns a JSON text that consists of `before`, the string and `after`. If these two are
   * short and ASCII, the text is in `buffer`, where the next call overwrites it; otherwise it
   * is a copy.
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

  /** Returns the text that the notation stands for. */
  toString(): string {
    return JSON.parse(utf8Decoder.decode(this.surround("", "")));
  }

  /** Is called by `JSON.stringify()`, which writes the returned text as a string. */
  toJSON(): string {
    return this.toString();
  }
}

/** Whether a text is ASCII, so that its characters are bytes, and not too long. */
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
