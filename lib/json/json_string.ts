import type { Bytes } from "../buffer.ts";
import { decodeValidUtf8 } from "../utf8.ts";

/**
 * A text as a JSON string in UTF-8: in quotes and with escapes (RFC 8259, section 7). Its
 * length is known before it is written, so that it can be written into its place in a
 * larger text.
 */
export class JsonString {
  /**
   * @param byteLength Number of bytes of the string, with its quotes.
   * @param write Writes the string with its quotes, which fills `output`.
   */
  constructor(
    readonly byteLength: number,
    readonly write: (output: Bytes) => void,
  ) {}

  /** Returns the text without quotes and escapes. */
  toString(): string {
    const notation = new Uint8Array(this.byteLength);
    this.write(notation);
    return JSON.parse(decodeValidUtf8(notation));
  }

  /** Is called by `JSON.stringify()`, which writes the returned text as a string. */
  toJSON(): string {
    return this.toString();
  }
}
