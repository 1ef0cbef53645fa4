/**
 * Chooses the digest that a text has for a file: the one beside its name, or the only one.
 *
 * @module
 */

import { readDigests } from "./text.js";

/** @typedef {import("./text.js").TextDigest} TextDigest */

/** The algorithms that are computed, as sentences and Web Crypto name them. */
export const ALGORITHM_NAMES = /** @type {const} */ ({
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
});

/** @typedef {keyof typeof ALGORITHM_NAMES} Algorithm */

/** @typedef {TextDigest & { algorithm: Algorithm }} FoundDigest */

/**
 * Why a text has no digest to compare with, as the end of a sentence: what the text must
 * be or name, and what it is or has instead.
 *
 * @typedef {object} Refusal
 * @property {string} rule Such as `must name this file`.
 * @property {string} [got] Such as `63 hexadecimal digits`.
 * @property {string[]} [files] Names of files in the text, in place of `got`. They are as
 * long and as odd as the text has them.
 */

const MUST_BE_DIGEST = "must be a SHA-1, SHA-256 or SHA-512 digest";

/** Number of file names that a message lists. */
const MAX_LISTED_FILES = 3;

/**
 * Returns the digest that a text has for a file, to be compared with that of the file. If
 * digests beside the name of the file are in the text, only these count. Of several
 * algorithms, that with the longest digest is chosen.
 *
 * The text is refused if it has no digest of SHA-1, SHA-256 or SHA-512, if the chosen
 * algorithm is another one, or if it has several digests of one algorithm: then it must
 * have the name of the file. Takes linear time.
 *
 * @param {string} text A digest, or a list of digests, in any notation.
 * @param {string} [file] Name or path of the file. Without it, as for standard input, a
 * list of different digests is refused.
 * @returns {FoundDigest | Refusal}
 */
export function findDigest(text, file) {
  const found = readDigests(text);
  const { digests, doubtful } = found;
  const own = file === undefined ? [] : selectOwn(digests, file);
  if (own.length > 0) return findOwn(own, digests);
  const first = digests[0];
  if (first === undefined) {
    const rule = doubtful.length > 0
      ? "must have a digest that can be read in one way only"
      : MUST_BE_DIGEST;
    return { rule };
  }
  // Digests of other algorithms may be of another file, too: a stronger one must not be
  // chosen in place of the right one.
  const sure = digests.filter((digest) => !isElsewhere(digest, first));
  const foreign = digests.filter((digest) => isElsewhere(digest, first));
  const others = [...foreign, ...doubtful];
  return choose(digests, { sure, others }) ?? refuseSeveral(found, file);
}

/**
 * Returns the digest beside the name of a file.
 *
 * @param {TextDigest[]} own Those beside this name.
 * @param {TextDigest[]} all
 * @returns {FoundDigest | Refusal}
 */
function findOwn(own, all) {
  // A digest without a name may be of the file, too.
  const others = all.filter(({ file }) => file === "");
  return choose(own, { sure: own, others }) ?? {
    rule: "must have one digest of this file",
    got: countDigests([...own, ...others]),
  };
}

/**
 * Returns the digest with the strongest algorithm, or a refusal if it or another digest
 * cannot be compared. Returns `undefined` if there are several digests of one algorithm, or
 * other ones.
 *
 * @param {TextDigest[]} digests At least one.
 * @param {{ sure: TextDigest[], others: TextDigest[] }} origins The digests of one file, and
 * those that may be of other files.
 * @returns {FoundDigest | Refusal | undefined}
 */
function choose(digests, { sure, others }) {
  const strongest = digests.reduce(selectStronger);
  const { algorithm } = strongest;
  if (!isComputed(algorithm)) {
    return { rule: MUST_BE_DIGEST, got: describeOther(strongest) };
  }
  const misnamed = [...sure, ...others]
    .find(({ algorithm, name }) => algorithm === "" && name !== "");
  if (misnamed !== undefined) {
    return { rule: MUST_BE_DIGEST, got: describeOther(misnamed) };
  }
  const known = new Set(sure.map(({ hex }) => hex));
  const isAlone = others.every(({ hex }) => known.has(hex));
  if (isAlone && areOnePerAlgorithm(digests)) {
    return { ...strongest, algorithm };
  }
}

/**
 * Refuses a text with several digests, none of which is beside the name of the file.
 *
 * @param {{ digests: TextDigest[], doubtful: TextDigest[] }} found
 * @param {string | undefined} file
 * @returns {Refusal}
 */
function refuseSeveral({ digests, doubtful }, file) {
  const files = [...new Set(digests.flatMap(({ file }) => file || []))];
  if (files.length === 0) {
    const got = countDigests([...digests, ...doubtful]);
    return { rule: "must have one digest", got };
  }
  const rule = file === undefined
    ? "must have one digest for an input without a name"
    : "must name this file";
  return { rule, files };
}

/**
 * Describes a refusal, such as `must name this file, got digests of "a", "b"`.
 *
 * @param {Refusal} refusal
 * @param {(file: string) => string} format Quotes and shortens the name of a file.
 */
export function describeRefusal({ rule, got, files = [] }, format) {
  const described = files.length > 0 ? listFiles(files, format) : got;
  return described === undefined ? rule : `${rule}, got ${described}`;
}

/**
 * @param {string[]} files
 * @param {(file: string) => string} format
 */
function listFiles(files, format) {
  const shown = files.slice(0, MAX_LISTED_FILES).map(format).join(", ");
  const more = files.length - MAX_LISTED_FILES;
  return `digests of ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Returns the digests beside the name of a file, which is the last part of its path. If
 * several paths end in this name, only those beside the whole path, if there are any.
 *
 * @param {TextDigest[]} digests
 * @param {string} path
 */
function selectOwn(digests, path) {
  const name = getName(path);
  const own = digests.filter(({ file }) => {
    return file !== "" && getName(file) === name;
  });
  const whole = own.filter(({ file }) => toPath(file) === toPath(path));
  return whole.length > 0 ? whole : own;
}

/** @param {string} path */
function getName(path) {
  return toPath(path).split("/").at(-1);
}

/**
 * Writes a path as POSIX does: `.\dl\file` becomes `dl/file`.
 *
 * @param {string} path
 */
function toPath(path) {
  return path.trim().replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/**
 * Whether two digests may be of different files: beside different names, or in different
 * lines of which one has other text.
 *
 * @param {TextDigest} one
 * @param {TextDigest} other
 */
function isElsewhere(one, other) {
  return one.file !== other.file ||
    one.line !== other.line && (one.isInText || other.isInText);
}

/**
 * @param {string} algorithm
 * @returns {algorithm is Algorithm}
 */
function isComputed(algorithm) {
  return Object.hasOwn(ALGORITHM_NAMES, algorithm);
}

/**
 * Returns the digest with more digits, of equally long ones that of an algorithm that is
 * computed here.
 *
 * @param {TextDigest} one
 * @param {TextDigest} other
 */
function selectStronger(one, other) {
  const difference = one.hex.length - other.hex.length;
  if (difference !== 0) return difference > 0 ? one : other;
  return isComputed(one.algorithm) ? one : other;
}

/**
 * Whether no algorithm has several different digests.
 *
 * @param {TextDigest[]} digests
 */
function areOnePerAlgorithm(digests) {
  const algorithms = digests.map(({ algorithm }) => algorithm);
  const pairs = digests.map(({ algorithm, hex }) => `${algorithm} ${hex}`);
  return new Set(pairs).size === new Set(algorithms).size;
}

/**
 * Writes the number of different digests, of all algorithms.
 *
 * @param {TextDigest[]} digests
 */
function countDigests(digests) {
  return String(new Set(digests.map(({ hex }) => hex)).size);
}

/**
 * Describes a digest that cannot be compared.
 *
 * @param {TextDigest} digest
 */
function describeOther({ algorithm, hex, name }) {
  if (algorithm !== "") return algorithm.toUpperCase();
  const digits = `${hex.length} hexadecimal digits`;
  return name === "" ? digits : `${digits} as ${name.toUpperCase()}`;
}
