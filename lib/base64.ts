/**
 * Encodes text or bytes as Base64 and decodes Base64 to bytes, in both alphabets of RFC
 * 4648. Decoding follows the "forgiving-base64 decode" of the WHATWG Infra standard,
 * extended to the URL-safe alphabet. An error for an invalid text names the first invalid
 * character, the wrong length, or the format PEM.
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
import { checkType, createTypeError } from "./check.ts";
import { formatValue } from "./format_value.ts";
import { findUtf8Error, withUtf8 } from "./utf8.ts";

/**
 * The error for a string that cannot be encoded or isn't valid Base64. The message is the
 * requirement, followed by the offset if there is one.
 */
export class Base64Error extends Error {
  /**
   * Always `Base64Error`. Identifies errors of another realm, for which `instanceof` is
   * `false`.
   */
  override name = "Base64Error";

  /**
   * Builds the message from the requirement and the offset.
   *
   * @param requirement A message that starts with `must`, so that a caller can write the name
   * of a field in front.
   * @param offset Offset of the first invalid character, in UTF-16 code units.
   */
  constructor(
    readonly requirement: string,
    readonly offset?: number,
  ) {
    super(
      offset === undefined ? requirement : `${requirement} at offset ${offset}`,
    );
  }
}

/**
 * The variants of Base64: `standard` has padding (RFC 4648, section 4); `url` has the
 * URL-safe alphabet and no padding (section 5).
 */
export type Base64Variant = "standard" | "url";

/**
 * Matches PEM (RFC 7468) by its first line, such as `-----BEGIN PUBLIC KEY-----`. This line
 * consists of spaces and characters of the URL-safe alphabet. Without a check for PEM, the
 * line would be decoded to wrong bytes, or the error would be about a `+`, `/` or `=` of
 * the key or about the length of the text.
 */
const PEM = /^[\t\n\f\r ]*-----BEGIN [^\r\n]*-----/;

const ASCII_WHITE_SPACE = /[\t\n\f\r ]+/g;

/**
 * Shortest input for which the Base64 functions of the runtime are used, in bytes to encode
 * or UTF-16 code units to decode. Shorter inputs use `@std/encoding`, as do all inputs in
 * runtimes without these functions, such as Node 22.
 */
const MIN_NATIVE_LENGTH: number = "toBase64" in Uint8Array.prototype
  ? 512
  : Infinity;

/**
 * Encodes bytes, or the UTF-8 bytes of a text, as Base64. The standard variant is the
 * default.
 *
 * @throws {TypeError} if the data is neither text nor bytes, or the variant is unknown.
 * @throws {Base64Error} for a text with a lone surrogate, which has no UTF-8 form
 * (RFC 3629, section 3).
 */
export function encodeBase64(
  data: string | Uint8Array,
  variant: Base64Variant = "standard",
): string {
  if (variant !== "standard" && variant !== "url") {
    throw createTypeError("variant", '"standard" or "url"', variant);
  }
  if (typeof data === "string") return encodeText(data, variant);
  if (data instanceof Uint8Array) return encodeBytes(data, variant);
  throw createTypeError("data", "a string or a Uint8Array", data);
}

function encodeBytes(bytes: Uint8Array, variant: Base64Variant): string {
  const isUrl = variant === "url";
  if (bytes.length >= MIN_NATIVE_LENGTH) {
    return bytes.toBase64(
      isUrl ? { alphabet: "base64url", omitPadding: true } : {},
    );
  }
  return isUrl ? encodeBase64Url(bytes) : encodeStandard(bytes);
}

function encodeText(text: string, variant: Base64Variant): string {
  const error = findUtf8Error(text);
  if (error !== undefined) {
    throw new Base64Error(error.requirement, error.offset);
  }
  return withUtf8(text, (bytes) => encodeBytes(bytes, variant));
}

/**
 * Decodes Base64 text in the standard or the URL-safe alphabet, but not in a mix of both.
 * ASCII white space is ignored. Padding may be missing, but not incomplete or superfluous.
 * Unused bits of the last character are ignored.
 *
 * @throws {TypeError} if the text is not a string.
 * @throws {Base64Error} if the text is not Base64; the message names the first invalid
 * character and its offset in UTF-16 code units, or the wrong length. PEM is rejected, too:
 * only its lines between the first and the last are Base64.
 */
export function decodeForgivingBase64(text: string): Uint8Array<ArrayBuffer> {
  checkType("text", text, "string");
  if (PEM.test(text)) {
    throw new Base64Error(
      'must be Base64 text, got PEM: give only the lines between "-----BEGIN" and "-----END"',
    );
  }
  try {
    return text.length >= MIN_NATIVE_LENGTH
      ? decodeNatively(text)
      : decodeByLibrary(text);
  } catch (error) {
    // For a text that is not Base64, `decodeNatively()` throws a `SyntaxError`, and
    // `decodeByLibrary()` a `TypeError`.
    const isOfText = error instanceof SyntaxError || error instanceof TypeError;
    throw isOfText ? createDecodeError(text) : error;
  }
}

function decodeNatively(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  }
}

function decodeByLibrary(text: string): Uint8Array<ArrayBuffer> {
  const digits = trimPadding(text.replace(ASCII_WHITE_SPACE, ""));
  // The text is checked before it is decoded, since the decoders of `@std/encoding` accept
  // some wrong padding. For a wrong length they throw a `RangeError`, as a failed
  // allocation does, and the caller could not tell the two apart.
  if (/[^\w+/-]/.test(digits) || digits.length % 4 === 1) {
    throw new TypeError("not Base64");
  }
  return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
}

/**
 * Removes one or two `=` at the end of a text whose length is a multiple of 4. Any other
 * `=` stays, and is rejected as an invalid character.
 */
function trimPadding(text: string): string {
  if (text.length % 4 !== 0 || !text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}

/** Creates the error for a text that is known not to be Base64. */
function createDecodeError(text: string): Base64Error {
  // The first `-`, `_`, `+` or `/` in the text, if there is one, tells which of the two
  // alphabets the text uses.
  const special = /[-_+/]/.exec(text)?.[0];
  const invalid = special === "-" || special === "_"
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const first = invalid.exec(text);
  const found = first?.[0] === "=" ? findAfterPadding(text) ?? first : first;
  if (found === null) {
    const length = countDigits(text);
    const got = length === 1
      ? "1 character, which encodes no byte"
      : `${length} characters, the last of which encodes no byte`;
    return new Base64Error(`must be whole Base64 text, got ${got}`);
  }
  // Only ASCII characters come before the invalid one, so its index is the same in bytes,
  // UTF-16 code units and characters.
  const { 0: character, index } = found;
  const got = `got ${formatValue(character)}`;
  if (character === "=") {
    return new Base64Error(
      `must end in the padding that its length needs or in none, ${got}`,
      index,
    );
  }
  if ("-_+/".includes(character)) {
    const other = formatValue(special);
    return new Base64Error(
      `must not mix the standard and the URL-safe alphabet, ${got} after ${other}`,
      index,
    );
  }
  return new Base64Error(`must be Base64 text, ${got}`, index);
}

/**
 * Finds the first character of no Base64 text, if what is before it ends in right padding. It
 * may be invisible, such as a no-break space at the end of a copied text.
 */
function findAfterPadding(text: string): RegExpExecArray | null {
  const foreign = /[^\w\t\n\f\r +/=-]/u.exec(text);
  const before = text.slice(0, foreign?.index).replace(ASCII_WHITE_SPACE, "");
  return trimPadding(before).includes("=") ? null : foreign;
}

/** Counts the Base64 digits in a text of Base64 digits and ASCII white space. */
function countDigits(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    // Only the digits have codes above that of the space, 0x20.
    if (text.charCodeAt(i) > 0x20) count += 1;
  }
  return count;
}
