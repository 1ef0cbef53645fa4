/** Space before and after the notation, in bytes, for the JSON text around it. */
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
  readonly #buffer: Uint8Array<ArrayBuffer>;
  /** The bytes between the quotes. */
  readonly content: Uint8Array<ArrayBuffer>;

  /** @param byteLength Number of bytes between the quotes, which are to be written to `content`. */
  constructor(byteLength: number) {
    const start = MARGIN_BYTES + 1;
    const end = start + byteLength;
    this.#buffer = new Uint8Array(end + 1 + MARGIN_BYTES);
    this.content = this.#buffer.subarray(start, end);
    this.#buffer[start - 1] = QUOTE;
    this.#buffer[end] = QUOTE;
  }

  /** Returns the number of bytes that an instance takes. */
  static measure(byteLength: number): number {
    return byteLength + 2 + 2 * MARGIN_BYTES;
  }

  /**
   * Returns the notation between other parts of a JSON text: without a copy, if each part
   * has at most 128 bytes. The next call overwrites the bytes that this one has returned.
   */
  surround(before: string, after: string): Uint8Array<ArrayBuffer> {
    const head = utf8Encoder.encode(before);
    const tail = utf8Encoder.encode(after);
    const notationEnd = this.#buffer.length - MARGIN_BYTES;
    if (head.length > MARGIN_BYTES || tail.length > MARGIN_BYTES) {
      const notation = this.#buffer.subarray(MARGIN_BYTES, notationEnd);
      return concatenate([head, notation, tail]);
    }
    const start = MARGIN_BYTES - head.length;
    this.#buffer.set(head, start);
    this.#buffer.set(tail, notationEnd);
    return this.#buffer.subarray(start, notationEnd + tail.length);
  }

  /** Returns the text. */
  toString(): string {
    return JSON.parse(utf8Decoder.decode(this.surround("", "")));
  }

  /** Returns the text, for `JSON.stringify()`. */
  toJSON(): string {
    return this.toString();
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
