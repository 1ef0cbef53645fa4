/**
 * Finds the digest of a file in a pasted digest or checksum list.
 *
 * A digest is a run of exactly 40, 64, or 128 hexadecimal digits, or `sha1-`, `sha256-`, or
 * `sha512-` followed by Base64. Digests of this second form that are separated by a space
 * are one integrity value: the file must match any of them (Subresource Integrity,
 * section 3.3). If lines contain both the name of the file and a digest, only these lines
 * count. All digests that count must be equal. A digest next to one of another algorithm may
 * be part of a file name, so it is only compared in the only line with the name of the file.
 *
 * @module
 */

/** The algorithms, as sentences and Web Crypto name them. */
export const ALGORITHM_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

/** An algorithm, as operations name it. */
export type Algorithm = keyof typeof ALGORITHM_NAMES;

/** Number of hexadecimal digits in a digest. */
const HEX_LENGTHS: Readonly<Record<Algorithm, number>> = {
  sha1: 40,
  sha256: 64,
  sha512: 128,
};

/**
 * Lengths of hexadecimal digests, including those of other algorithms, such as MD5, and of
 * folders in the URLs of PyPI.
 */
const KNOWN_LENGTHS = [32, 40, 56, 60, 64, 96, 128];

const STRONGEST_FIRST = ["sha512", "sha256", "sha1"] as const;

/** The digests to compare with that of the file. */
export interface FoundDigests {
  readonly algorithm: Algorithm;
  /** In lowercase hexadecimal: one digest, or those of one integrity value. */
  readonly digests: readonly string[];
}

/** Why there is no digest to compare with, as the end of a sentence. */
export interface DigestRejection {
  /** Such as `must have a SHA-256 digest`. */
  readonly requirement: string;
  /** What was found instead, and what to do; absent if no digest was found. */
  readonly got?: string;
}

/** Matches the Base64 of a digest, of either alphabet, that doesn't look like hexadecimal. */
const BASE64 = String
  .raw`(?![\da-f]{32})[\w+/-]{27,86}={0,2}(?![\w+/=-])`;

/** Matches a part of an integrity value. */
const TOKEN = String.raw`sha\d{1,3}-${BASE64}`;

/**
 * Matches a run of at least 32 hexadecimal digits, as of MD5, an integrity value, `SHA256:…`
 * of OpenSSH, or `sha-256=:…:` of `Repr-Digest` (RFC 9530).
 */
const VALUE = new RegExp(
  String
    .raw`(?<![\da-f])[\da-f]{32,}|(?<!\w)(?:${TOKEN}(?: ${TOKEN})*|sha-?\d{1,3}[:=]{1,2}${BASE64})`,
  "gi",
);

/** Matches digits in groups, as `gpg --print-md` prints at least half a digest in a line. */
const GROUPS =
  /(?<!\w)(?:(?:[\da-f]{2}[\s:-]+){9}[\da-f]{2}|(?:[\da-f]{4}\s+){4}[\da-f]{4}|(?:[\da-f]{8}\s+){3}[\da-f]{8})(?!\w)/gi;

/**
 * Returns the digests that a file may have according to a digest or a checksum list. Takes
 * linear time.
 *
 * @param options `algorithm` is by default the strongest one with a digest. `path` is the
 * path or name of the file; its last part is the name in the list.
 */
export function findDigests(
  list: string,
  { algorithm, path = "" }: {
    readonly algorithm?: Algorithm | undefined;
    readonly path?: string | undefined;
  } = {},
): FoundDigests | DigestRejection {
  const { lines, areNamed } = selectLines(list, path.split(/[\\/]/).at(-1)!);
  if (hasGroups(lines.join("\n"))) {
    return {
      requirement: "must have digests without gaps",
      got: "digits in groups: remove the spaces or colons between them",
    };
  }
  const values = lines.flatMap((line) => {
    const values = readValues(line);
    const isOnly = areNamed && lines.length === 1;
    const isMixed = !isOnly && areMixed(values);
    return values.map((value) => ({ ...value, isMixed }));
  });
  const odd = values.find(({ value }) =>
    !isIntegrity(value) && !KNOWN_LENGTHS.includes(value.length)
  );
  if (odd !== undefined) {
    return {
      requirement: "must have complete digests",
      got: `${odd.value.length} hexadecimal digits: paste only the digest`,
    };
  }
  const algorithms = algorithm === undefined ? STRONGEST_FIRST : [algorithm];
  for (const algorithm of algorithms) {
    const found = values.map(({ value, ...facts }) => {
      return { digests: decodeValue(value, algorithm), ...facts };
    }).filter(({ digests }) => digests.length > 0);
    if (found.every(({ isInPath }) => isInPath)) continue;
    const { digests } = found[0]!;
    const isClear = found.every((other) =>
      !other.isMixed && other.digests.join() === digests.join()
    );
    if (isClear) return { algorithm, digests };
    return {
      requirement: `must have one ${ALGORITHM_NAMES[algorithm]} digest`,
      got: "different ones: name the file as in the list, or paste one digest",
    };
  }
  const names = algorithm === undefined
    ? "SHA-1, SHA-256 or SHA-512"
    : ALGORITHM_NAMES[algorithm];
  return { requirement: `must have a ${names} digest` };
}

/**
 * Returns the lines that count: those with the name of the file and a digest of any
 * algorithm, without this name, or all lines if there are none.
 */
function selectLines(
  list: string,
  name: string,
): { readonly lines: readonly string[]; readonly areNamed: boolean } {
  const lines = list.split(/\r\n?|\n/);
  if (name === "") return { lines, areNamed: false };
  const pattern = matchName(name);
  const named = lines.filter((line) => pattern.test(line))
    // A space would join the digests around the name to an integrity value.
    .map((line) => line.replace(pattern, ","))
    .filter((line) =>
      hasGroups(line) || readValues(line).some(({ isInPath }) => !isInPath)
    );
  return named.length > 0
    ? { lines: named, areNamed: true }
    : { lines, areNamed: false };
}

/** Whether a text has digits in groups. Years and dates have no letters. */
function hasGroups(text: string): boolean {
  return (text.match(GROUPS) ?? []).some((groups) => /[a-f]/i.test(groups));
}

/** Creates an expression for a name that is not part of a longer one. */
function matchName(name: string): RegExp {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const characters = String.raw`\p{L}\p{M}\p{N}_+~@%$^-`;
  const start = `(?<![.!&#${characters}])`;
  const end = String.raw`(?!\.?[${characters}]|/|\\\w)`;
  return new RegExp(start + escaped + end, "u");
}

/** A run of hexadecimal digits, or an integrity value. */
interface Value {
  readonly value: string;
  /** Whether the value is part of a path, or of a file name with an extension. */
  readonly isInPath: boolean;
}

function readValues(line: string): readonly Value[] {
  return [...line.matchAll(VALUE)].map(({ 0: value, index }) => {
    const end = index + value.length;
    const before = line.slice(Math.max(0, index - 2), index);
    const after = line.slice(end, end + 2);
    const isInPath = /\/$|\S\\$/.test(before) || /^[./\\-]\w/.test(after);
    return { value, isInPath };
  });
}

/** Whether the values in a line are digests of different algorithms, by their lengths. */
function areMixed(values: readonly Value[]): boolean {
  const [length, ...others] = values.filter(({ isInPath }) => !isInPath)
    .map(({ value }) => isIntegrity(value) ? 0 : value.length);
  return others.some((other) => other !== length);
}

function isIntegrity(value: string): boolean {
  return /^s/i.test(value);
}

/** Returns the digests of an algorithm in a value, in lowercase hexadecimal. */
function decodeValue(value: string, algorithm: Algorithm): readonly string[] {
  const decoded = isIntegrity(value)
    ? value.split(" ").map((token) => decodeToken(token, algorithm))
    : [value.toLowerCase()];
  return decoded.filter((hex) => hex.length === HEX_LENGTHS[algorithm]);
}

/** Returns the digest in `sha256-…`; an empty string if it is not one of the algorithm. */
function decodeToken(token: string, algorithm: Algorithm): string {
  const [, bits, base64 = ""] = /^sha-?(\d+)(?:-|[:=]{1,2})(.+)$/i.exec(token)!;
  if (`sha${bits}` !== algorithm) return "";
  try {
    const standard = base64.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.fromBase64(standard).toHex();
  } catch {
    return "";
  }
}
