/**
 * Chooses the digest that a text has for a file: the one beside its name, or the only one.
 * `text.ts` reads the digests of a text, `line.ts` with `others.ts` those of one line,
 * `value.ts` one digest.
 *
 * | What is read                 | Examples                                  | By           |
 * | ---------------------------- | ----------------------------------------- | ------------ |
 * | hexadecimal, in either case  | `ba7816…`, `0xBA7816…`                    | readWhole()  |
 * | pairs, groups                | `BA:78:16:…`, `BA-78-16-…`, `BA7816BF …`  | readWhole()  |
 * | Base64, of either alphabet   | `ungWv48B…`                               | readWhole()  |
 * | one digest in several lines  | `ba7816…⏎b00361…`                         | readBroken() |
 * | `sha256sum`, `cksum`         | `ba7816…  a.txt`, `\ba7816… *a\nb`        | readFirst()  |
 * | Debian's `Release`           | ` ba7816…  12 main/Packages`              | readFirst()  |
 * | BSD, `sha256sum --tag`       | `SHA256 (a.txt) = ba7816…`                | readTagged() |
 * | OpenSSL                      | `SHA2-256(a.txt)= ba7816…`                | readTagged() |
 * | PowerShell, table or CSV     | `SHA256  BA7816…  C:\a.txt`               | readRow()    |
 * | Homebrew                     | `sha256 "ba7816…"`                        | readRow()    |
 * | PowerShell, list or JSON     | `Algorithm : SHA256⏎Hash : BA…⏎Path : …`  | readLines()  |
 * | Windows' `certutil`          | `SHA256 hash of a.txt:⏎ba7816…`           | readLast()   |
 * | GnuPG, also in two lines     | `a.txt: SHA256 = BA7816BF …`              | readLast()   |
 * | certificates                 | `sha256 Fingerprint=BA:78:16:…`           | readLast()   |
 * | names of files or algorithms | `"a.txt": "ba7816…",`, `SHA-256: ba7816…` | readLast()   |
 * | lock files                   | `checksum = "ba7816…"`                    | readLast()   |
 * | pip, images of containers    | `--hash=sha256:ba7816…`, `a@sha256:ba…`   | readLast()   |
 * | `integrity`, policies (SRI)  | `'sha256-ungWv48B…'`, also several        | readNamed()  |
 * | HTTP headers                 | `Repr-Digest: sha-256=:ungWv48B…:`        | readNamed()  |
 * | OpenSSH                      | `256 SHA256:ungWv48B… me (RSA)`           | readNamed()  |
 *
 * A list has such lines. The lines of a signature are skipped.
 *
 * @module
 */

import { readDigests, type TextDigest, type TextDigests } from "./text.ts";

/** The algorithms that are computed, as sentences and Web Crypto name them. */
export const ALGORITHM_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

/** An algorithm that is computed, as operations name it. */
export type Algorithm = keyof typeof ALGORITHM_NAMES;

/** A digest that can be compared with that of a file. */
export interface FoundDigest extends TextDigest {
  readonly algorithm: Algorithm;
}

/**
 * Why a text has no digest to compare with, as the end of a sentence: what the text must be
 * or name, and what it is or has instead.
 */
export interface Refusal {
  /** Such as `must name this file`. */
  readonly rule: string;
  /** Such as `63 hexadecimal digits`. */
  readonly got?: string;
  /**
   * Names of files in the text, in place of `got`. They are as long and as odd as the text
   * has them.
   */
  readonly files?: readonly string[];
}

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
 * @param text A digest, or a list of digests, in any notation.
 * @param file Name or path of the file. Without it, as for standard input, a list of
 * different digests is refused.
 */
export function findDigest(text: string, file?: string): FoundDigest | Refusal {
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
 * @param own Those beside this name.
 */
function findOwn(
  own: readonly TextDigest[],
  all: readonly TextDigest[],
): FoundDigest | Refusal {
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
 * @param digests At least one.
 */
function choose(
  digests: readonly TextDigest[],
  { sure, others }: {
    /** The digests of one file. */
    readonly sure: readonly TextDigest[];
    /** Those that may be of other files. */
    readonly others: readonly TextDigest[];
  },
): FoundDigest | Refusal | undefined {
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
 * Refuses a text with several digests, none of which is beside the name of the file. If all
 * but one are doubtful, the names beside them are, too.
 */
function refuseSeveral(
  { digests, doubtful }: TextDigests,
  file: string | undefined,
): Refusal {
  const files = [...new Set(digests.flatMap(({ file }) => file || []))];
  if (files.length === 0 || digests.length === 1) {
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
 * @param format Quotes and shortens the name of a file.
 */
export function describeRefusal(
  { rule, got, files = [] }: Refusal,
  format: (file: string) => string,
): string {
  const described = files.length > 0 ? listFiles(files, format) : got;
  return described === undefined ? rule : `${rule}, got ${described}`;
}

function listFiles(
  files: readonly string[],
  format: (file: string) => string,
): string {
  const shown = files.slice(0, MAX_LISTED_FILES).map(format).join(", ");
  const more = files.length - MAX_LISTED_FILES;
  return `digests of ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Returns the digests beside the name of a file, which is the last part of its path. If
 * several paths end in this name, only those beside the whole path, if there are any.
 */
function selectOwn(
  digests: readonly TextDigest[],
  path: string,
): readonly TextDigest[] {
  const name = getName(path);
  const own = digests.filter(({ file }) => {
    return file !== "" && getName(file) === name;
  });
  const whole = own.filter(({ file }) => toPath(file) === toPath(path));
  return whole.length > 0 ? whole : own;
}

function getName(path: string): string | undefined {
  return toPath(path).split("/").at(-1);
}

/** Writes a path as POSIX does: `.\dl\file` becomes `dl/file`. */
function toPath(path: string): string {
  return path.trim().replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/**
 * Whether two digests may be of different files: beside different names, or in different
 * lines of which one has other text.
 */
function isElsewhere(one: TextDigest, other: TextDigest): boolean {
  return one.file !== other.file ||
    one.line !== other.line && (one.isInText || other.isInText);
}

function isComputed(algorithm: string): algorithm is Algorithm {
  return Object.hasOwn(ALGORITHM_NAMES, algorithm);
}

/**
 * Returns the digest with more digits, of equally long ones that of an algorithm that is
 * computed here.
 */
function selectStronger(one: TextDigest, other: TextDigest): TextDigest {
  const difference = one.hex.length - other.hex.length;
  if (difference !== 0) return difference > 0 ? one : other;
  return isComputed(one.algorithm) ? one : other;
}

/** Whether no algorithm has several different digests. */
function areOnePerAlgorithm(digests: readonly TextDigest[]): boolean {
  const algorithms = digests.map(({ algorithm }) => algorithm);
  const pairs = digests.map(({ algorithm, hex }) => `${algorithm} ${hex}`);
  return new Set(pairs).size === new Set(algorithms).size;
}

/** Writes the number of different digests, of all algorithms. */
function countDigests(digests: readonly TextDigest[]): string {
  return String(new Set(digests.map(({ hex }) => hex)).size);
}

/** Describes a digest that cannot be compared. */
function describeOther({ algorithm, hex, name }: TextDigest): string {
  if (algorithm !== "") return algorithm.toUpperCase();
  const digits = `${hex.length} hexadecimal digits`;
  return name === "" ? digits : `${digits} as ${name.toUpperCase()}`;
}
