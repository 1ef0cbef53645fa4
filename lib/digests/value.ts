/**
 * Reads one digest as it is written, without the text around it: in hexadecimal, in pairs or
 * groups of digits, or in Base64.
 *
 * @module
 */

/** A digest, and its algorithm. */
export interface Digest {
  /**
   * `sha1`, `sha256` or `sha512`, as the text names it or, if there is no name, as the length
   * tells; empty if the length is not that of the named one or, if there is no name, is that
   * of none of the three. If the text names any other algorithm, this name in lower case.
   * The names `sha` and `sha2` count as no name.
   */
  readonly algorithm: string;
  /** The digest in lower-case hexadecimal. */
  readonly hex: string;
  /** Name of the algorithm as it is written; empty if there is none. */
  readonly name: string;
}

/** Algorithms by the number of hexadecimal digits of their digests. */
const ALGORITHMS = new Map([[40, "sha1"], [64, "sha256"], [128, "sha512"]]);

/**
 * Numbers of hexadecimal digits of the digests that are read in Base64 or in groups: from
 * MD5 to SHA-512.
 */
const LENGTHS = new Set([32, 40, 56, 64, 96, 128]);

/** Smallest number of hexadecimal digits of a digest: that of MD5. */
const MIN_HEX_LENGTH = 32;

/**
 * The algorithms by their names in texts, in lower case without hyphens and underscores.
 */
const ALGORITHMS_BY_NAME = new Map([
  ["sha1", "sha1"],
  ["sha256", "sha256"],
  ["sha2256", "sha256"],
  ["sha512", "sha512"],
  ["sha2512", "sha512"],
]);

/** Names for which only the length of the digest tells the algorithm. */
const FAMILIES = new Set(["", "sha", "sha2"]);

/**
 * Regular expression, case-insensitive, for the name of an algorithm, including algorithms
 * that the service does not compute. By line:
 *
 * - `HMAC`; before any other name, too, as in `HMAC-SHA2-256`
 * - `SHA1`, `SHA2-256`, `sha3_256`, `SHAKE128`, `SHA-512/256`, `sha`
 * - `MD5`, `RIPEMD-160`, `RMD160`, `SM3`, `CRC32`
 * - `BLAKE2b-256`, `blake3`, `b2`
 * - `Keccak-256`, `HAS-160`, `JH256`
 * - `GOST`, `Skein-512`, `Streebog-256`, `XXH64`
 * - `Whirlpool`; `h1` of the sums of Go, which are not digests of files
 */
export const NAME = `(?:hmac[-_]?)?(?:${
  [
    /hmac/,
    /sha(?:ke)?[-_]?(?:[23][-_])?(?:512[-_/](?:224|256)|\d{0,3})/,
    /(?:md|ripemd-?|rmd|sm|crc)\d{1,3}/,
    /(?:blake|b)[23][a-z]{0,2}[-_]?\d{0,3}/,
    /(?:keccak|has|jh)-?\d{3}/,
    /(?:gost|skein|groestl|streebog|snefru|tiger|xxh|kmac)[-_]?\d{0,3}/,
    /whirlpool|h1/,
  ].map(({ source }) => source).join("|")
})`;

/**
 * Regular expression, case-insensitive, for a digest without white space. By line:
 *
 * - `a9:99:3e:…:9d` of OpenSSL, without another pair behind it
 * - `A9-99-3E-…-9D` of .NET
 * - `a9993e…9d`, `0xa9993e…9d`
 * - `qZk+Nk…2J0=`, with or without padding, and in the URL-safe alphabet
 */
export const VALUE = [
  /(?:[\da-f]{2}:){15,63}[\da-f]{2}(?!:[\da-f])/,
  /(?:[\da-f]{2}-){15,63}[\da-f]{2}/,
  /(?:0x)?[\da-f]{32,256}/,
  /[\w+/-]{22,86}={0,2}/,
].map(({ source }) => source).join("|");

/**
 * Regular expression, case-insensitive, for a digest in groups of digits between white
 * space: `A999 3E36 … D89D` of GnuPG, `a9 99 3e … 9d` of Windows 7.
 */
export const GROUPS = String.raw`[\da-f]{2,16}(?:\s+[\da-f]{2,16}){1,63}`;

/** A value in pairs: `a9:99:3e`, `A9-99-3E`. */
const PAIRS = /^[\da-f]{2}(?:(?::[\da-f]{2})+|(?:-[\da-f]{2})+)$/i;

/**
 * Reads a digest in hexadecimal or Base64. Returns `undefined` for any other value. If the
 * name is empty, also returns `undefined` for Base64 that is no digest of SHA-1, SHA-256 or
 * SHA-512: many words are Base64, too.
 *
 * @param name Name of the algorithm; empty if the text names none.
 */
export function readDigest(name: string, value: string): Digest | undefined {
  if (/\s/.test(value)) return readGroups(name, value);
  const digits = PAIRS.test(value)
    ? value.replaceAll(/[:-]/g, "")
    : value.replace(/^0x/i, "");
  if (isHex(digits)) {
    const isLong = digits.length >= MIN_HEX_LENGTH;
    return isLong ? createDigest(name, digits) : undefined;
  }
  const hex = decodeBase64(value);
  const lengths = name === "" ? ALGORITHMS : LENGTHS;
  return lengths.has(hex.length) ? createDigest(name, hex) : undefined;
}

/** Reads a digest in groups of equally many digits. Returns `undefined` for other groups. */
function readGroups(name: string, value: string): Digest | undefined {
  const groups = value.split(/\s+/);
  // GnuPG writes two spaces in the middle. Other wide gaps divide a checksum and a name.
  const halves = value.split(/\s{2,}|\t/);
  if (!areEquallyLong(groups) || !areEquallyLong(halves)) return;
  const digits = groups.join("");
  return LENGTHS.has(digits.length) ? createDigest(name, digits) : undefined;
}

function areEquallyLong(texts: readonly string[]): boolean {
  return texts.every(({ length }) => length === texts[0]?.length);
}

function createDigest(name: string, digits: string): Digest {
  const algorithm = findAlgorithm(name.toLowerCase(), digits.length);
  return { algorithm, hex: digits.toLowerCase(), name };
}

/**
 * Returns the algorithm of a digest, see `Digest`.
 *
 * @param name In lower case.
 * @param length Number of hexadecimal digits.
 */
function findAlgorithm(name: string, length: number): string {
  const fitting = ALGORITHMS.get(length) ?? "";
  const plain = name.replaceAll(/[-_]/g, "");
  if (FAMILIES.has(plain)) return fitting;
  const known = ALGORITHMS_BY_NAME.get(plain);
  if (known === undefined) return name;
  return known === fitting ? known : "";
}

/** Whether a text has hexadecimal digits only, and at least one. */
export function isHex(text: string): boolean {
  return /^[\da-f]+$/i.test(text);
}

/**
 * Decodes Base64 of either alphabet to lower-case hexadecimal. Returns an empty string for
 * any other text.
 */
function decodeBase64(text: string): string {
  try {
    const standard = text.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.fromBase64(standard).toHex();
  } catch {
    return "";
  }
}
