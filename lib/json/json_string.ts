import type { Bytes } from "../buffer.ts";
import { decodeValidUtf8 } from "../utf8.ts";

/**
 * A long string in JSON notation, as UTF-8. The bytes become a part of the response. As a
 * string, the same text would be copied several times, and the garbage collector would free
 * the copies late.
 */
export class JsonString {
  /** @param content The bytes between the quotes, from the start of their buffer on. */
  constructor(readonly content: Bytes) {}

  /** Called by `JSON.stringify()`. */
  toJSON(): string {
    return JSON.parse(`"${decodeValidUtf8(this.content)}"`);
  }
}
