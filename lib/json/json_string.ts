import type { Bytes } from "../values/buffer.ts";

const utf8Decoder = new TextDecoder();

/** A text as a JSON string in UTF-8: in quotes and with escapes (RFC 8259, section 7). */
export class JsonString {
  /** @param notation The string with its quotes. */
  constructor(readonly notation: Bytes) {}

  /** Returns the text without quotes and escapes. */
  toString(): string {
    return JSON.parse(utf8Decoder.decode(this.notation));
  }

  /** Is called by `JSON.stringify()`, which writes the returned text as a string. */
  toJSON(): string {
    return this.toString();
  }
}
