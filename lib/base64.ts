/**
 * Encodes text as Base64 and decodes it, in both alphabets of RFC 4648. Decoding
 * follows the "forgiving-base64 decode" of the WHATWG Infra standard. Errors name the
 * first invalid character.
 *
 * ```ts
 * import { decodeForgivingBase64, encodeBase64 } from "@devutils/service/base64";
 *
 * console.log(encodeBase64("héllo")); // aMOpbGxv
 * console.log(new TextDecoder().decode(decodeForgivingBase64("aMOp\nbGxv"))); // héllo
 * ```
 *
 * @module
 */

import {
  decodeBase64,
  encodeBase64 as encodeStandard,
} from "@std/encoding/base64";
import { decodeBase64Url, encodeBase64Url } from "@std/encoding/base64url";
import { describe } from "./quote.ts";

/**
 * The error for a text that cannot be encoded, or is not valid Base64. The message
 * begins with `must`, so that a caller can put the name of its field before it.
 */
export class Base64Error extends Error {
  /** `Base64Error`. */
  override name = "Base64Error";
}

/** The alphabets: `standard` with padding (RFC 4648, section 4), `url` without (section 5). */
export type Base64Variant = "standard" | "url";

const ASCII_WHITE_SPACE = /[\t\n\f\r ]+/g;

/**
 * Encodes the UTF-8 bytes of a text, in the standard alphabet by default.
 *
 * @throws {Base64Error} for a text with a lone surrogate, which has no UTF-8 form
 * (RFC 3629, section 3).
 */
export function encodeBase64(
  text: string,
  variant: Base64Variant = "standard",
): string {
  if (!text.isWellFormed()) {
    const offset = text.search(/\p{Surrogate}/u);
    throw new Base64Error(
      `must be text that UTF-8 can encode, got the lone surrogate ${
        describe(text[offset])
      } at offset ${offset}`,
    );
  }
  return variant === "url" ? encodeBase64Url(text) : encodeStandard(text);
}

/**
 * Decodes Base64 text in the standard or the URL-safe alphabet. ASCII white space
 * is ignored, padding is optional but must be right, and unused trailing bits are
 * ignored.
 *
 * @throws {Base64Error} if the text is not Base64; the message names the first
 * invalid character and its offset in UTF-16 code units, or the wrong length.
 */
export function decodeForgivingBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = trimPadding(text.replace(ASCII_WHITE_SPACE, ""));
  // The decoders accept some wrong padding.
  if (digits.includes("=")) throw createDecodeError(text, digits);
  try {
    return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
  } catch {
    throw createDecodeError(text, digits);
  }
}

/** Removes correct padding; other padding stays, and is rejected like any invalid character. */
function trimPadding(text: string): string {
  if (text.length % 4 !== 0 || !text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}

/** Creates the error for a text that is known not to be Base64. */
function createDecodeError(text: string, digits: string): Base64Error {
  // The first character that only one alphabet has decides which one is expected.
  const special = /[-_+/]/.exec(text)?.[0];
  const invalid = special === "-" || special === "_"
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const found = invalid.exec(text);
  if (found === null) {
    const got = digits.length === 1
      ? "1 character, which encodes no byte"
      : `${digits.length} characters, the last of which encodes no byte`;
    return new Base64Error(`must be whole Base64 text, got ${got}`);
  }
  // All characters before it are ASCII, so its offset is the same in bytes, code
  // units and characters.
  const { 0: character, index } = found;
  const got = `got ${describe(character)} at offset ${index}`;
  if (character === "=") {
    return new Base64Error(
      `must end in the padding that its length needs or in none, ${got}`,
    );
  }
  if ("-_+/".includes(character)) {
    return new Base64Error(
      `must not mix the standard and the URL-safe alphabet, ${got} after ${
        describe(special)
      }`,
    );
  }
  return new Base64Error(`must be Base64 text, ${got}`);
}
