/**
 * Encodes and decodes Base64 in both alphabets of RFC 4648. Decoding follows the WHATWG Infra
 * standard ("forgiving-base64 decode"), but also accepts the URL-safe alphabet.
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
import { findUtf8Error, toUtf8 } from "./utf8.ts";

/** The error for a string that can't be encoded, or that isn't valid Base64. */
export class Base64Error extends Error {
  /** Always `Base64Error`. Unlike `instanceof`, it identifies the error even across realms. */
  override name = "Base64Error";

  /**
   * Creates an error whose message is the requirement, followed by the offset, if any.
   *
   * @param requirement What the string must be, such as `must be Base64, got "é"`.
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

/** `standard` is padded (RFC 4648, section 4). `url` is URL-safe and unpadded (section 5). */
export type Base64Variant = "standard" | "url";

/** Matches the first line of PEM (RFC 7468), whose hyphens are also URL-safe Base64 digits. */
const PEM = /^[\t\n\f\r ]*-----BEGIN [^\r\n]*-----/;

const ASCII_WHITESPACE = /[\t\n\f\r ]+/g;

/** Minimum input length for which native functions, which Node 22 lacks, are faster. */
const MIN_NATIVE_LENGTH: number = "toBase64" in Uint8Array.prototype
  ? 512
  : Infinity;

/**
 * Encodes bytes, or the UTF-8 bytes of a string. The default variant is `standard`.
 *
 * @throws {TypeError} if `data` is neither a string nor bytes, or `variant` is unknown.
 * @throws {Base64Error} if the string contains a lone surrogate (RFC 3629, section 3).
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
  return encodeBytes(toUtf8(data), variant);
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
 * Decodes Base64 in the standard or URL-safe alphabet, but not a mix of both. ASCII whitespace
 * and unused bits in the last digit are ignored. Padding is optional, but must be correct.
 *
 * @throws {TypeError} if `base64` is not a string.
 * @throws {Base64Error} if the string is not Base64 or is PEM. The message contains the first
 * invalid character and its offset, or the invalid length.
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
    // `decodeNatively()` throws a `SyntaxError`, and `decodeByLibrary()` throws a `TypeError`.
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
  // `@std/encoding` accepts some invalid padding. For an invalid length, it throws a
  // `RangeError`, which a failed allocation also throws.
  if (/[^\w+/-]/.test(digits) || digits.length % 4 === 1) {
    throw new TypeError("not Base64");
  }
  return /[-_]/.test(digits) ? decodeBase64Url(digits) : decodeBase64(digits);
}

/** Removes padding if it is correct. Any remaining `=` is rejected later. */
function trimPadding(base64: string): string {
  if (base64.length % 4 !== 0 || !base64.endsWith("=")) return base64;
  return base64.slice(0, base64.endsWith("==") ? -2 : -1);
}

function createDecodeError(base64: string): Base64Error {
  // The first character that only one alphabet contains determines the alphabet.
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
      `must be complete Base64, got ${got} (a length that Base64 cannot have)`,
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

/** Finds a non-Base64 character after correct padding, such as a copied no-break space. */
function findAfterPadding(base64: string): RegExpExecArray | null {
  const foreign = /[^\w\t\n\f\r +/=-]/u.exec(base64);
  const before = base64.slice(0, foreign?.index).replace(ASCII_WHITESPACE, "");
  return trimPadding(before).includes("=") ? null : foreign;
}
