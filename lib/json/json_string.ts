/**
 * Space before and after the notation of a text, in bytes, for the JSON text around it: the
 * other members of a result are short.
 */
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
   * Returns the notation between other parts of a JSON text, which must be ASCII. The bytes
   * are those of this object, so they are overwritten by the next call.
   *
   * @throws {RangeError} if a part has more than 128 characters, or others than ASCII.
   */
  surround(before: string, after: string): Uint8Array<ArrayBuffer> {
    checkPart(before);
    checkPart(after);
    const start = MARGIN_BYTES - before.length;
    const end = this.#buffer.length - MARGIN_BYTES + after.length;
    const bytes = this.#buffer.subarray(start, end);
    utf8Encoder.encodeInto(before, bytes);
    utf8Encoder.encodeInto(after, bytes.subarray(bytes.length - after.length));
    return bytes;
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

function checkPart(text: string): void {
  if (text.length <= MARGIN_BYTES && isAscii(text)) return;
  throw new RangeError(
    `a part must have at most ${MARGIN_BYTES} characters, all ASCII`,
  );
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}
