/**
 * Finds the digest of a file in a pasted digest or checksum list.
 *
 * A digest is a run of exactly 40, 64, or 128 hexadecimal digits, or `sha1-`, `sha256-`, or
 * `sha512-` followed by Base64. Base64 digests separated by a single space are one integrity
 * value, and the file needs to match only one of them (Subresource Integrity, section 3.3). If
 * any lines contain the file's name and a digest, all other lines are ignored. All remaining
 * digests must be equal. If a line contains digests from different algorithms, one of them
 * might be part of a file name, so the line is used only if it alone has the file's name.
 *
 * @module
 */

export const ALGORITHM_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

export type Algorithm = keyof typeof ALGORITHM_NAMES;

const HEX_LENGTHS: Readonly<Record<Algorithm, number>> = {
  sha1: 40,
  sha256: 64,
  sha512: 128,
};

/** Lengths of hexadecimal digests from any common algorithm, and of folders in PyPI URLs. */
const KNOWN_LENGTHS = [32, 40, 56, 60, 64, 96, 128];

const STRONGEST_FIRST = ["sha512", "sha256", "sha1"] as const;

export interface FoundDigests {
  readonly algorithm: Algorithm;
  /** Lowercase hexadecimal. An integrity value can contain several digests. */
  readonly digests: readonly string[];
}

/** The reason why no digest can be used, as parts of an error message. */
export interface DigestRejection {
  /** For example, `must contain a SHA-256 digest`. */
  readonly requirement: string;
  /** The contents of the list instead, if any, and how to fix the list. */
  readonly got?: string;
}

/** Matches a Base64 digest, in either alphabet, that doesn't look like hexadecimal. */
const BASE64 = String
  .raw`(?![\da-f]{32})[\w+/-]{27,86}={0,2}(?![\w+/=-])`;

const TOKEN = String.raw`sha\d{1,3}-${BASE64}`;

/**
 * Matches at least 32 hexadecimal digits, an integrity value, `SHA256:…` (OpenSSH), or
 * `sha-256=:…:` (`Repr-Digest`, RFC 9530).
 */
const VALUE = new RegExp(
  String
    .raw`(?<![\da-f])[\da-f]{32,}|(?<!\w)(?:${TOKEN}(?: ${TOKEN})*|sha-?\d{1,3}[:=]{1,2}${BASE64})`,
  "gi",
);

/**
 * Matches groups of hexadecimal digits, such as in the output of `gpg --print-md`. Takes linear
 * time: digits and separators are different characters, so a failed match only gives back the
 * separators after at most nine groups.
 */
const GROUPS = new RegExp(
  [
    String.raw`(?<!\w)(?:(?:[\da-f]{2}[\s:-]+){9}[\da-f]{2}`,
    String.raw`(?:[\da-f]{4}\s+){4}[\da-f]{4}`,
    String.raw`(?:[\da-f]{8}\s+){3}[\da-f]{8})(?!\w)`,
  ].join("|"),
  "gi",
);

/**
 * Finds the valid digests of a file in a digest or checksum list, in linear time.
 *
 * @param options By default, `algorithm` is the strongest one for which the list contains a
 * digest. The list identifies the file by the last segment of `path`.
 */
export function findDigests(
  list: string,
  { algorithm, path = "" }: {
    readonly algorithm?: Algorithm | undefined;
    readonly path?: string | undefined;
  } = {},
): FoundDigests | DigestRejection {
  const allLines = list.split(/\r\n?|\n/);
  const namedLines = selectLines(allLines, path.split(/[\\/]/).at(-1)!);
  const lines = namedLines.length > 0 ? namedLines : allLines;
  if (hasGroups(lines.join("\n"))) {
    return {
      requirement: "must contain digests without gaps",
      got: "digits in groups: remove the spaces or colons between them",
    };
  }
  const values = lines.flatMap((line) => {
    const values = readValues(line);
    const isMixed = namedLines.length !== 1 && areMixed(values);
    return values.map((value) => ({ ...value, isMixed }));
  });
  const incomplete = values.find(({ value }) =>
    !isIntegrity(value) && !KNOWN_LENGTHS.includes(value.length)
  );
  if (incomplete !== undefined) {
    return {
      requirement: "must contain complete digests",
      got:
        `${incomplete.value.length} hexadecimal digits: paste only the digest`,
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
      requirement: `must contain one ${ALGORITHM_NAMES[algorithm]} digest`,
      got:
        "several different ones: rename the file to match the list, or paste one digest",
    };
  }
  const names = algorithm === undefined
    ? "SHA-1, SHA-256 or SHA-512"
    : ALGORITHM_NAMES[algorithm];
  return { requirement: `must contain a ${names} digest` };
}

/** Returns the lines that contain the name and a digest, without the name. */
function selectLines(lines: readonly string[], name: string): string[] {
  if (name === "") return [];
  const pattern = matchName(name);
  return lines.filter((line) => pattern.test(line))
    // A space would join the digests before and after the name into one integrity value.
    .map((line) => line.replace(pattern, ","))
    .filter((line) =>
      hasGroups(line) || readValues(line).some(({ isInPath }) => !isInPath)
    );
}

/** Requires a letter, because dates and years can also look like groups of digits. */
function hasGroups(text: string): boolean {
  return (text.match(GROUPS) ?? []).some((groups) => /[a-f]/i.test(groups));
}

/** Creates a regular expression that matches the name unless it is part of a longer name. */
function matchName(name: string): RegExp {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const characters = String.raw`\p{L}\p{M}\p{N}_+~@%$^-`;
  const start = `(?<![.!&#${characters}])`;
  const end = String.raw`(?!\.?[${characters}]|/|\\\w)`;
  return new RegExp(start + escaped + end, "u");
}

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

function areMixed(values: readonly Value[]): boolean {
  const [length, ...others] = values.filter(({ isInPath }) => !isInPath)
    .map(({ value }) => isIntegrity(value) ? 0 : value.length);
  return others.some((other) => other !== length);
}

function isIntegrity(value: string): boolean {
  return /^s/i.test(value);
}

function decodeValue(value: string, algorithm: Algorithm): readonly string[] {
  const decoded = isIntegrity(value)
    ? value.split(" ").map((token) => decodeToken(token, algorithm))
    : [value.toLowerCase()];
  return decoded.filter((hex) => hex.length === HEX_LENGTHS[algorithm]);
}

/** Returns a token's digest in hexadecimal, or an empty string if its algorithm differs. */
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
