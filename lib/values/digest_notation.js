/**
 * Reads digests in the notations in which programs write them: `sha256sum`, OpenSSL, BSD,
 * Windows, certificates, lock files, `integrity` attributes and HTTP headers. Plain
 * JavaScript, since the page loads this module as it is.
 *
 * @module
 */

/**
 * A digest that a text contains.
 *
 * @typedef {object} WrittenDigest
 * @property {string} algorithm `sha1`, `sha256` or `sha512`; another name as the text has
 * it, in lower case; or empty if the length is that of no known algorithm, or not that of
 * the named one.
 * @property {string} hex The digest in lower-case hexadecimal.
 */

/** Most characters of a text that are read. */
const MAX_LENGTH = 4_096;

/** Least characters of a digest: MD5 in hexadecimal. */
const MIN_HEX_LENGTH = 32;

/** Least characters of a digest in Base64: MD5 without padding. */
const MIN_BASE64_LENGTH = 22;

/** Most characters of a digest: twice as many as SHA-512 in hexadecimal has. */
const MAX_DIGEST_LENGTH = 256;

/** Algorithms by the number of hexadecimal digits of their digests. */
const ALGORITHMS = new Map([[40, "sha1"], [64, "sha256"], [128, "sha512"]]);

/** Names of the algorithms, without hyphens. */
const NAMES = new Map([
  ["sha1", "sha1"],
  ["sha256", "sha256"],
  ["sha2256", "sha256"],
  ["sha512", "sha512"],
  ["sha2512", "sha512"],
]);

/** Names that leave open which of the algorithms is meant. */
const FAMILIES = new Set(["", "sha", "sha2"]);

/** The name of an algorithm, also of those that the service does not compute. */
const NAME = String.raw`(?:hmac[-_]?)?(?:` +
  String.raw`sha(?:ke)?[-_]?(?:[23][-_])?(?:512[-_/](?:224|256)|\d{0,3})|` +
  String.raw`(?:md|ripemd-?|rmd|sm|crc)\d{1,3}|` +
  String.raw`(?:blake|b)[23][a-z]?[-_]?\d{0,3}|keccak-?\d{3}|whirlpool)`;

const NAME_ONLY = new RegExp(`^${NAME}$`, "i");
const NAME_BEFORE_VALUE = new RegExp(`^(${NAME})-(?=.{22})(.+)$`, "i");

/**
 * A word that may be a name or a digest: pairs of hexadecimal digits, separated by colons,
 * or else a run of the characters of Base64.
 */
const WORD = /(?:[\da-f]{2}:){15,63}[\da-f]{2}(?![\w:-])|[\w+/-]+=*/gi;

/**
 * Returns the digests in a text, in their order; none if there is no digest. A digest is in
 * hexadecimal of either case, with or without separators, or in Base64 of either alphabet.
 * Only the first 4,096 characters are read.
 *
 * @param {string} text
 * @returns {WrittenDigest[]}
 */
export function readDigests(text) {
  const start = text.slice(0, MAX_LENGTH);
  const digests = start.split(/[\r\n]+/).flatMap(readLine);
  const isFound = digests.some(({ algorithm }) => algorithm !== "");
  // A digest may also be broken into several lines.
  const broken = isFound ? undefined : readGroups(start);
  return broken === undefined ? digests : [broken];
}

/**
 * Reads a text that is one digest in groups of hexadecimal digits.
 *
 * @param {string} text
 */
function readGroups(text) {
  const digits = text.replaceAll(/[\s:-]/g, "");
  const isDigest = isHex(digits) && ALGORITHMS.has(digits.length);
  return isDigest ? createDigest("", digits) : undefined;
}

/**
 * @param {string} line
 * @returns {WrittenDigest[]}
 */
function readLine(line) {
  const first = readFirst(line);
  if (first !== undefined && first.algorithm !== "") return [first];
  const only = readGroups(line) ?? readTagged(line) ?? first;
  if (only !== undefined) return [only];
  const named = [];
  const unnamed = [];
  let name = "";
  for (const [word] of line.matchAll(WORD)) {
    const [unpadded = ""] = word.split("=", 1);
    if (NAME_ONLY.test(unpadded)) {
      name = unpadded;
      continue;
    }
    const [, prefix = name, value = word] = NAME_BEFORE_VALUE.exec(word) ?? [];
    const digest = readValue(prefix, value);
    if (digest === undefined) continue;
    if (prefix === "") unnamed.push(digest);
    else named.push(digest);
    name = "";
  }
  // If a digest has the name of its algorithm before it, words without one are paths and
  // addresses.
  return named.length > 0 ? named : unnamed.slice(0, 1);
}

/**
 * Reads `SHA256 (file) = digest` and `SHA2-256(file)= digest`. The name of the file may
 * contain anything, so the digest is what follows the last parenthesis.
 *
 * @param {string} line
 */
function readTagged(line) {
  const name = line.slice(0, Math.max(0, line.indexOf("("))).trim();
  if (!NAME_ONLY.test(name)) return;
  const [, value] = /^\s*=\s*(\S+)\s*$/.exec(
    line.slice(line.lastIndexOf(")") + 1),
  ) ?? [];
  return value === undefined ? undefined : readValue(name, value);
}

/**
 * Reads `digest  file`, as `sha256sum` writes it: the rest of the line is the name of the
 * file, and a backslash before the digest says that it is escaped.
 *
 * @param {string} line
 */
function readFirst(line) {
  const [word = ""] = line.trim().split(/\s/, 1);
  const value = word.replace(/^\\/, "");
  if (isHex(value)) return readValue("", value);
}

/**
 * Reads a digest in hexadecimal or Base64; undefined if the value is neither.
 *
 * @param {string} name Empty if the text names no algorithm.
 * @param {string} value
 * @returns {WrittenDigest | undefined}
 */
function readValue(name, value) {
  if (value.length > MAX_DIGEST_LENGTH) return;
  const digits = value.replaceAll(/[:-]/g, "").replace(/^0x/i, "");
  if (isHex(digits) && digits.length >= MIN_HEX_LENGTH) {
    return createDigest(name, digits);
  }
  if (value.length < MIN_BASE64_LENGTH) return;
  const hex = decodeBase64(value);
  const isWhole = hex !== undefined &&
    (name !== "" || ALGORITHMS.has(hex.length));
  return isWhole ? createDigest(name, hex) : undefined;
}

/**
 * @param {string} name
 * @param {string} digits
 * @returns {WrittenDigest}
 */
function createDigest(name, digits) {
  const hex = digits.toLowerCase();
  const fitting = ALGORITHMS.get(hex.length) ?? "";
  const written = name.toLowerCase();
  const plain = written.replaceAll(/[-_]/g, "");
  if (FAMILIES.has(plain)) return { algorithm: fitting, hex };
  const known = NAMES.get(plain);
  if (known === undefined) return { algorithm: written, hex };
  return { algorithm: known === fitting ? known : "", hex };
}

/** @param {string} text */
function isHex(text) {
  return /^[\da-f]+$/i.test(text);
}

/**
 * Decodes Base64 of either alphabet to hexadecimal; undefined if it is not valid.
 *
 * @param {string} text
 */
function decodeBase64(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Array.from(binary, (byte) => {
      return byte.charCodeAt(0).toString(16).padStart(2, "0");
    }).join("");
  } catch {
    return;
  }
}
