/**
 * Encodes strings or bytes as Base64 and decodes Base64 to bytes, in both alphabets of RFC
 * 4648. Decoding follows the "forgiving-base64 decode" of the WHATWG Infra standard,
 * extended to the URL-safe alphabet.
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
 * Matches PEM (RFC 7468) by its first line, such as `-----BEGIN PUBLIC KEY-----`, which
 * consists of spaces and digits of the URL-safe alphabet and would otherwise be decoded.
 */
const PEM = /^[\t\n\f\r ]*-----BEGIN [^\r\n]*-----/;

const ASCII_WHITESPACE = /[\t\n\f\r ]+/g;

/**
 * Shortest input for the faster functions of the runtime, in bytes to encode or UTF-16 code
 * units to decode. Other inputs, and runtimes such as Node 22, use `@std/encoding`.
 */
const MIN_NATIVE_LENGTH: number = "toBase64" in Uint8Array.prototype
  ? 512
  : Infinity;

/**
 * Encodes bytes, or the UTF-8 bytes of a string, as Base64. The standard variant is the
 * default.
 *
 * @throws {TypeError} if the data is neither a string nor bytes, or the variant is unknown.
 * @throws {Base64Error} for a string with a lone surrogate, which has no UTF-8 form
 * (RFC 3629, section 3).
 */
export function encodeBase64(
  data: string | Uint8Array,
  variant: Base64Variant = "standard",
): string {
  if (variant !== "standard" && variant !== "url") {
    throw createTypeError("variant", '"standard" or "url"', variant);
  }
  if (data instanceof Uint8Array) return encodeBytes(data, variant);
  if (typeof data !== "string") {
    throw createTypeError("data", "a string or a Uint8Array", data);
  }
  const error = findUtf8Error(data);
  if (error !== undefined) {
    throw new Base64Error(error.requirement, error.offset);
  }
  return withUtf8(data, (bytes) => encodeBytes(bytes, variant));
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

/**
 * Decodes Base64 in the standard or the URL-safe alphabet, but not in a mix of both. ASCII
 * whitespace is ignored. Padding can be missing, but not incomplete or superfluous. Unused
 * bits of the last digit are ignored.
 *
 * @throws {TypeError} if the argument is not a string.
 * @throws {Base64Error} if the string is not valid Base64; the message names the first invalid
 * character and its offset in UTF-16 code units, or the invalid length. PEM is also rejected:
 * only its lines between the first and the last are Base64.
 */
export function decodeForgivingBase64(base64: string): Uint8Array<ArrayBuffer> {
  checkType("base64", base64, "string");
  if (PEM.test(base64)) {
    throw new Base64Error(
      'must be Base64, got PEM: send only the lines between "-----BEGIN" and "-----END"',
    );
  }
  try {
    return base64.length >= MIN_NATIVE_LENGTH
      ? decodeNatively(base64)
      : decodeByLibrary(base64);
  } catch (error) {
    // For invalid Base64, `decodeNatively()` throws a `SyntaxError`, and `decodeByLibrary()` a
    // `TypeError`.
    const isInvalid = error instanceof SyntaxError ||
      error instanceof TypeError;
    throw isInvalid ? createDecodeError(base64) : error;
  }
}

function decodeNatively(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return Uint8Array.fromBase64(base64, { alphabet: "base64url" });
  }
}

function decodeByLibrary(base64: string): Uint8Array<ArrayBuffer> {
  const digits = trimPadding(base64.replace(ASCII_WHITESPACE, ""));
  // The decoders of `@std/encoding` accept some invalid padding. For an invalid length they
  // throw a `RangeError`, as a failed allocation does.
  if (/[^\w+/-]/.test(digits) || digits.length % 4 === 1) {
    throw new TypeError("not Base64");
  }
  return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
}

/** Removes correct padding. Any other `=` is rejected as an invalid character. */
function trimPadding(base64: string): string {
  if (base64.length % 4 !== 0 || !base64.endsWith("=")) return base64;
  return base64.slice(0, base64.endsWith("==") ? -2 : -1);
}

function createDecodeError(base64: string): Base64Error {
  // The first character in which the alphabets differ determines the alphabet.
  const special = /[-_+/]/.exec(base64)?.[0];
  const invalid = special === "-" || special === "_"
    ? /[^\w\t\n\f\r -]/u
    : /[^A-Za-z0-9+/\t\n\f\r ]/u;
  const first = invalid.exec(base64);
  const found = first?.[0] === "=" ? findAfterPadding(base64) ?? first : first;
  if (found === null) {
    const { length } = base64.replace(ASCII_WHITESPACE, "");
    const got = length === 1 ? "1 character" : `${length} characters`;
    return new Base64Error(
      `must be complete Base64, got ${got} (a length that no bytes encode to)`,
    );
  }
  return new Base64Error(describeInvalid(found[0], special), found.index);
}

function describeInvalid(character: string, special?: string): string {
  const got = formatValue(character);
  if (character === "=") {
    return `must have correct padding or none, got an unexpected ${got}`;
  }
  if ("-_+/".includes(character)) {
    const other = formatValue(special);
    return `must not mix the standard and the URL-safe alphabet, got ${got} after ${other}`;
  }
  return `must be Base64, got ${got}`;
}

/**
 * Finds the first character that is in neither alphabet, if correct padding precedes it. The
 * character can be invisible, such as a no-break space at the end of a copied string.
 */
function findAfterPadding(base64: string): RegExpExecArray | null {
  const foreign = /[^\w\t\n\f\r +/=-]/u.exec(base64);
  const before = base64.slice(0, foreign?.index).replace(ASCII_WHITESPACE, "");
  return trimPadding(before).includes("=") ? null : foreign;
}
