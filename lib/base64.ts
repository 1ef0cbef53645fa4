/**
 * Base64 of text and back: both alphabets of RFC 4648, decoded as forgivingly as
 * the web does (WHATWG Infra standard, "forgiving-base64 decode"), with errors
 * that name the first offending character.
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

/** A text without a Base64 form, or that is no Base64. The message begins with `must`. */
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
 * Decodes Base64 text, standard or URL-safe. ASCII white space is dropped,
 * padding may be left out, and trailing bits that encode nothing are ignored.
 *
 * @throws {Base64Error} where the text is no Base64, naming the first offending
 * character and its offset where there is one.
 */
export function decodeForgivingBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = trimPadding(text.replace(ASCII_WHITE_SPACE, ""));
  // The decoders would let some wrong padding pass.
  if (digits.includes("=")) throw explain(text, digits);
  try {
    return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
  } catch {
    throw explain(text, digits);
  }
}

/** Removes padding that is right; any other stays, and is refused as a foreign character. */
function trimPadding(text: string): string {
  if (text.length % 4 !== 0 || !text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}

/** Makes the error for a text that is not Base64. */
function explain(text: string, digits: string): Base64Error {
  // The alphabet is that of the first character that only one of them has.
  const special = /[-_+/]/.exec(text)?.[0];
  const foreign = special === "-" || special === "_"
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const found = foreign.exec(text);
  if (found === null) {
    const got = digits.length === 1
      ? "1 character, which encodes no byte"
      : `${digits.length} characters, the last of which encodes no byte`;
    return new Base64Error(`must be whole Base64 text, got ${got}`);
  }
  // Everything before the first foreign character is ASCII, so its offset is
  // the same in bytes, code units and characters.
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
