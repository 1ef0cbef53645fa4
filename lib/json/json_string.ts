import type { Bytes } from "../buffer.ts";
import { decodeValidUtf8 } from "../utf8.ts";

/**
 * A long string in JSON notation, as UTF-8 bytes that become part of the response. A JavaScript
 * string would be copied several times, and the copies would be garbage-collected late.
 */
export class JsonString {
  /** @param content The bytes between the quotes, which must start at offset 0 of their buffer. */
  constructor(readonly content: Bytes) {}

  toJSON(): string {
    return JSON.parse(`"${decodeValidUtf8(this.content)}"`);
  }
}
