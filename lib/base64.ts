/**
 * Reading Base64 the way the web does: the forgiving-base64 decode of the
 * WHATWG Infra standard, for both alphabets of RFC 4648.
 *
 * @module
 */

import { decodeBase64 } from "@std/encoding/base64";
import { decodeBase64Url } from "@std/encoding/base64url";
import { describe } from "./quote.ts";

const ASCII_WHITE_SPACE = /[\t\n\f\r ]+/g;

/** A text that is no Base64. The message begins with `must` and says what came. */
export class Base64Error extends Error {
  override name = "Base64Error";
}

/**
 * Decodes Base64 text, standard or URL-safe. ASCII white space is dropped,
 * padding may be left out, and trailing bits that encode nothing are ignored.
 *
 * @throws {Base64Error} where the text is no Base64, naming the first offending
 * character and its offset where there is one.
 */
export function decodeForgivingBase64(text: string): Uint8Array {
  const digits = trimPadding(text.replace(ASCII_WHITE_SPACE, ""));
  // The decoders would let some wrong padding pass.
  if (digits.includes("=")) throw explain(text, digits);
  try {
    return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
  } catch {
    throw explain(text, digits);
  }
}

/** Drops right padding only; wrong padding stays, and is a foreign character. */
function trimPadding(text: string): string {
  if (text.length % 4 !== 0 || !text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}

/** Explains why a text that is known to be no Base64 is none. */
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
