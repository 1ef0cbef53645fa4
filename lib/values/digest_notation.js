/**
 * Reads digests in the notations of `sha256sum`, OpenSSL, BSD, Windows, certificates, lock
 * files, `integrity` attributes and HTTP headers. The module is plain JavaScript, since the
 * page loads it without a build.
 *
 * @module
 */

/**
 * A digest that a text contains.
 *
 * @typedef {object} WrittenDigest
 * @property {string} algorithm `sha1`, `sha256` or `sha512`, as the text names it or, if
 * there is no name, as the length tells; empty if the length is not that of the named one
 * or, if there is no name, is that of none of the three. If the text names any other
 * algorithm, this name in lower case. The names `sha` and `sha2` count as no name.
 * @property {string} hex The digest in lower-case hexadecimal.
 */

/** Largest number of UTF-16 code units of a text that are read. */
const MAX_LENGTH = 4_096;

/** Smallest number of hexadecimal digits of a digest: that of MD5. */
const MIN_HEX_LENGTH = 32;

/** Smallest number of characters of a digest in Base64: that of MD5 without padding. */
const MIN_BASE64_LENGTH = 22;

/**
 * Largest number of characters of a digest that is written without white space, including
 * its separators: twice the number of hexadecimal digits of SHA-512.
 */
const MAX_DIGEST_LENGTH = 256;

/** Algorithms by the number of hexadecimal digits of their digests. */
const ALGORITHMS = new Map([[40, "sha1"], [64, "sha256"], [128, "sha512"]]);

/**
 * The algorithms by their names in texts, in lower case without hyphens and underscores.
 */
const NAMES = new Map([
  ["sha1", "sha1"],
  ["sha256", "sha256"],
  ["sha2256", "sha256"],
  ["sha512", "sha512"],
  ["sha2512", "sha512"],
]);

/** Names for which only the length of the digest tells the algorithm. */
const FAMILIES = new Set(["", "sha", "sha2"]);

/**
 * Regular expression for the name of an algorithm, including algorithms that the service
 * does not compute.
 */
const NAME = String.raw`(?:hmac[-_]?)?(?:` +
  String.raw`sha(?:ke)?[-_]?(?:[23][-_])?(?:512[-_/](?:224|256)|\d{0,3})|` +
  String.raw`(?:md|ripemd-?|rmd|sm|crc)\d{1,3}|` +
  String.raw`(?:blake|b)[23][a-z]?[-_]?\d{0,3}|keccak-?\d{3}|whirlpool)`;

const NAME_ONLY = new RegExp(`^${NAME}$`, "i");
const NAME_BEFORE_VALUE = new RegExp(`^(${NAME})-(?=.{22})(.+)$`, "i");

/**
 * A word that may be a name or a digest: 16 to 64 pairs of hexadecimal digits, separated by
 * colons, or else a run of characters of Base64 in either alphabet, with any padding.
 */
const WORD = /(?:[\da-f]{2}:){15,63}[\da-f]{2}(?![\w:-])|[\w+/-]+=*/gi;

/**
 * Returns the digests in a text, in the order of the text: in hexadecimal of either case,
 * with or without separators, or in Base64 of either alphabet. In a line with the names of
 * algorithms, digests without a name are left out. Only the first 4,096 UTF-16 code units of
 * the text are read.
 *
 * @param {string} text
 * @returns {WrittenDigest[]}
 */
export function readDigests(text) {
  const start = text.slice(0, MAX_LENGTH);
  const digests = start.split(/[\r\n]+/).flatMap(readLine);
  const isFound = digests.some(({ algorithm }) => algorithm !== "");
  // If no line has a digest of a known or named algorithm, the text may be one digest that
  // is broken into several lines.
  const broken = isFound ? undefined : readGroups(start);
  return broken === undefined ? digests : [broken];
}

/**
 * Reads a text that is one digest in groups of hexadecimal digits, separated by white
 * space, colons or hyphens. Returns `undefined` for any other text, or if the number of
 * digits is not that of SHA-1, SHA-256 or SHA-512.
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
  // If a digest follows the name of its algorithm, other words that look like digests are
  // taken for parts of paths and addresses.
  return named.length > 0 ? named : unnamed.slice(0, 1);
}

/**
 * Reads `SHA256 (file) = digest` and `SHA2-256(file)= digest`. The name of the file may
 * contain parentheses and equals signs, so the digest is read after the last closing
 * parenthesis. Returns `undefined` for any other line.
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
 * Reads a hexadecimal digest at the start of a line such as `digest  file`, as `sha256sum`
 * writes it, with a backslash before the digest if the name of the file is escaped. Returns
 * `undefined` for any other line.
 *
 * @param {string} line
 */
function readFirst(line) {
  const [word = ""] = line.trim().split(/\s/, 1);
  const value = word.replace(/^\\/, "");
  if (isHex(value)) return readValue("", value);
}

/**
 * Reads a digest in hexadecimal or Base64. Returns `undefined` for any other value. If the
 * name is empty, also returns `undefined` for Base64 of a digest whose length is not that
 * of SHA-1, SHA-256 or SHA-512.
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
 * Decodes Base64 of either alphabet to lower-case hexadecimal. Returns `undefined` for any
 * other text.
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
