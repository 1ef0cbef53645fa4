/**
 * Reading Base64 the way the web does: the forgiving-base64 decode of the
 * WHATWG Infra standard, for both alphabets of RFC 4648.
 *
 * @module
 */

import { decodeBase64 } from "@std/encoding/base64";
import { decodeBase64Url } from "@std/encoding/base64url";
import { describe, HttpError } from "./errors.ts";
import { type Fields, readString } from "./input.ts";

const ASCII_WHITE_SPACE = /[\t\n\f\r ]+/g;

/**
 * Reads a required field of Base64 text, standard or URL-safe, as the bytes it
 * encodes. ASCII white space is dropped, padding may be left out, and trailing
 * bits that encode nothing are ignored.
 *
 * @throws {HttpError} 400 where the field is missing, no string or no Base64,
 * naming the first offending character and its offset where there is one.
 */
export function readBase64(fields: Fields, name: string): Uint8Array {
  const input = readString(fields, name);
  const digits = trimPadding(input.replace(ASCII_WHITE_SPACE, ""));
  // The decoders would let some wrong padding pass.
  if (digits.includes("=")) throw explain(input, { name, digits });
  try {
    return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
  } catch {
    throw explain(input, { name, digits });
  }
}

/** Drops right padding only; wrong padding stays, and is a foreign character. */
function trimPadding(text: string): string {
  if (text.length % 4 !== 0 || !text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}

/** Explains why a text that is known to be no Base64 is none. */
function explain(
  input: string,
  { name, digits }: { name: string; digits: string },
): HttpError {
  // The alphabet is that of the first character that only one of them has.
  const special = /[-_+/]/.exec(input)?.[0];
  const foreign = special === "-" || special === "_"
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const found = foreign.exec(input);
  if (found === null) {
    return new HttpError(
      400,
      `"${name}" must be whole Base64 text, got ${digits.length} characters, the last of which encodes no byte`,
    );
  }
  // Everything before the first foreign character is ASCII, so its offset is
  // the same in bytes, code units and characters.
  const { 0: character, index } = found;
  const got = `got ${describe(character)} at offset ${index}`;
  if (character === "=") {
    return new HttpError(
      400,
      `"${name}" must end in the padding that its length needs or in none, ${got}`,
    );
  }
  if ("-_+/".includes(character)) {
    return new HttpError(
      400,
      `"${name}" must not mix the standard and the URL-safe alphabet, ${got} after ${
        describe(special)
      }`,
    );
  }
  return new HttpError(400, `"${name}" must be Base64 text, ${got}`);
}
