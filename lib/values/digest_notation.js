/**
 * Finds the digest of a file in the notations of `sha256sum`, OpenSSL, BSD, GnuPG, Windows,
 * certificates, lock files, `integrity` attributes and HTTP headers. The module is plain
 * JavaScript, since the page loads it without a build.
 *
 * A digest counts only in a digest's place, so that a file that is named by a digest is not
 * mistaken for its digest. If a line can be read in two ways, none of its digests counts.
 *
 * @module
 */

/**
 * A digest in a text.
 *
 * @typedef {object} WrittenDigest
 * @property {string} algorithm `sha1`, `sha256` or `sha512`, as the text names it or, if
 * there is no name, as the length tells; empty if the length is not that of the named one
 * or, if there is no name, is that of none of the three. If the text names any other
 * algorithm, this name in lower case. The names `sha` and `sha2` count as no name.
 * @property {string} hex The digest in lower-case hexadecimal.
 * @property {string} name Name of the algorithm as it is written; empty if there is none.
 * @property {string} file Name or path of the file, as it is written beside the digest;
 * empty if there is none.
 * @property {number} line Number of the line, from 1.
 * @property {boolean} isInText Whether other text of the line, such as an address, may be
 * around it.
 */

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

/** The algorithms that are computed, as sentences name them. */
export const ALGORITHM_NAMES = /** @type {const} */ ({
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
});

/** @typedef {keyof typeof ALGORITHM_NAMES} Algorithm */

/** Algorithms by the number of hexadecimal digits of their digests. */
const ALGORITHMS = new Map([[40, "sha1"], [64, "sha256"], [128, "sha512"]]);

/**
 * Numbers of hexadecimal digits of the digests that are read in Base64 or in groups: from
 * MD5 to SHA-512.
 */
const LENGTHS = new Set([32, 40, 56, 64, 96, 128]);

/** Smallest number of characters of a digest: that of MD5 in Base64, without padding. */
const MIN_LENGTH = 22;

/** Smallest number of hexadecimal digits of a digest: that of MD5. */
const MIN_HEX_LENGTH = 32;

/** Largest number of digits in a group of a digest that is written in groups. */
const MAX_GROUP_LENGTH = 16;

/**
 * Largest length of a text that is one digest in several lines, in UTF-16 code units: four
 * times that of SHA-512.
 */
const MAX_BROKEN_LENGTH = 512;

/** Largest number of lines that continue a digest. SHA-512 of GnuPG has three. */
const MAX_CONTINUED_LINES = 4;

/** Number of file names that a message lists. */
const MAX_LISTED_FILES = 3;

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
 * does not compute. `h1` names the sums of Go, which are not digests of files.
 */
const NAME = String.raw`(?:hmac[-_]?)?(?:hmac|` +
  String.raw`sha(?:ke)?[-_]?(?:[23][-_])?(?:512[-_/](?:224|256)|\d{0,3})|` +
  String.raw`(?:md|ripemd-?|rmd|sm|crc)\d{1,3}|` +
  String.raw`(?:blake|b)[23][a-z]{0,2}[-_]?\d{0,3}|(?:keccak|has|jh)-?\d{3}|` +
  String
    .raw`(?:gost|skein|groestl|streebog|snefru|tiger|xxh|kmac)[-_]?\d{0,3}|` +
  String.raw`whirlpool|h1)`;

/**
 * Regular expression for a digest without white space: hexadecimal digits, pairs of them
 * between colons or hyphens, or Base64 of either alphabet.
 */
const VALUE = String.raw`(?:[\da-f]{2}:){15,63}[\da-f]{2}(?!:?[\da-f])|` +
  String.raw`(?:[\da-f]{2}-){15,63}[\da-f]{2}(?!-?[\da-f])|` +
  String.raw`(?:0x)?[\da-f]{32,256}|[\w+/-]{22,86}={0,2}`;

/** Regular expression for a digest in groups of digits between white space. */
const GROUPS = String.raw`[\da-f]{2,16}(?:\s+[\da-f]{2,16}){1,63}`;

const PAIRS = /^[\da-f]{2}(?:(?::[\da-f]{2})+|(?:-[\da-f]{2})+)$/i;
const ONLY_BASE64 = /^[\w+/-]+={0,2}$/;

const OPENING = "[\"'`(\\[{<]*";
const CLOSING = "[\"'`)\\]}>,;\\\\\\s]*";

/** A line that is one digest, in quotes or not. */
const WHOLE = new RegExp(`^\\s*${OPENING}(${VALUE}|${GROUPS})${CLOSING}$`, "i");

/** `digest  file` of `sha256sum`. The backslash marks an escaped name of the file. */
const FIRST = new RegExp(String.raw`^(\s*)(\\?)(${VALUE})(\s.*)$`, "is");

/** `SHA256 (file) = digest` up to the parenthesis. */
const TAG = /^\s*(\\?)([\w/-]+) ?\(/;

/** `XXH64 (file) = sum`, whose sum is shorter than a digest: of this, nothing is read. */
const SHORT_TAGGED = /^\s*\\?[\w/-]+ ?\(.*\)\s*=\s*[\da-f]{1,31}\s*$/is;

/** `SHA256  digest  path` of a table, or `sha256 "digest"`. */
const ROW = new RegExp(
  String.raw`^\s*["']?(${NAME})["']?[\s,]+["']?(${VALUE})["']?(?:[\s,]+(.*))?$`,
  "is",
);

/** A row of a table whose digest is cut off: of this, nothing is read. */
const CUT_ROW = new RegExp(
  String.raw`^\s*["']?${NAME}["']?[\s,]+["']?[\da-f]{8,}(?:\.\.\.|…)`,
  "i",
);

/** A digest that is the last in its line, behind a colon or an equals sign. */
const LAST = new RegExp(
  String.raw`^(.*?)[:=]\s*${OPENING}` +
    String.raw`(?:(${NAME})[-:=]\s*)?(${VALUE}|${GROUPS})${CLOSING}$`,
  "is",
);

/** The name of an algorithm and its digest anywhere in a line, but not in a path. */
const NAMED = new RegExp(
  String.raw`(?<![\w./\\+-])(${NAME})` +
    String.raw`(?:["']?\s*[:=]+\s*["']?|-|\s+["']?)` +
    String.raw`(${VALUE})(?![\w./\\+=-]|["']?\s*:\s|["']\s*:)`,
  "gi",
);

/** The text between two digests of a list in one line. */
const GAP = /^:?[\s"',;]+$/;

/** Hexadecimal digits behind a colon or an equals sign, with text after them. */
const INNER = /[:=]\s*["']?([\da-f]{32,256})["']?(?=[\s,;])/gi;

/** The name of an algorithm as a word. */
const NAME_WORD = new RegExp(
  String.raw`(?<![\w./\\-])(${NAME})(?![\w./\\-])`,
  "gi",
);

/** The text before the name of a file in a label: `SHA256 hash of file` of `certutil`. */
const HASH_OF = new RegExp(`^${NAME} hash of (?:file )?`, "i");

/** The text after the name of a file in a label: `file: SHA256 =` of GnuPG. */
const LAST_NAME = new RegExp(
  String.raw`(?:^|:)\s*["']?${NAME}["']?\s*$`,
  "i",
);

/** `SHA256 = digest` of GnuPG, below the name of the file if that is long. */
const PART = new RegExp(String.raw`^\s*${NAME} = ${GROUPS}\s*$`, "i");

/** A property of PowerShell's `Get-FileHash`, as a list or as JSON. */
const PROPERTY = /^\s*"?(algorithm|path)"?\s*:(.*)$/is;

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
 * @returns {WrittenDigest & { algorithm: Algorithm } | Refusal}
 */
export function findDigest(text, file) {
  const { digests, inner } = readText(text);
  const own = file === undefined ? [] : selectOwn(digests, file);
  const pool = own.length > 0 ? own : digests;
  const [first, ...others] = pool;
  if (first === undefined) {
    const rule = inner.length > 0
      ? "must have a digest that can be read in one way only"
      : MUST_BE_DIGEST;
    return { rule };
  }
  const strongest = others.reduce(selectStronger, first);
  const { algorithm } = strongest;
  if (!isComputed(algorithm)) {
    return { rule: MUST_BE_DIGEST, got: describeOther(strongest) };
  }
  // Digests that may be of another file, also those of other algorithms: a stronger one must
  // not be chosen in place of the right one.
  const foreign = own.length > 0
    ? digests.filter(({ file }) => file === "")
    : [...digests.filter((digest) => isElsewhere(digest, first)), ...inner];
  const sure = own.length > 0
    ? own
    : digests.filter((digest) => !isElsewhere(digest, first));
  const misnamed = [...sure, ...foreign]
    .find(({ algorithm, name }) => algorithm === "" && name !== "");
  if (misnamed !== undefined) {
    return { rule: MUST_BE_DIGEST, got: describeOther(misnamed) };
  }
  const known = new Set(sure.map(({ hex }) => hex));
  const isAlone = foreign.every(({ hex }) => known.has(hex));
  if (isAlone && countDifferent(pool) === 1) {
    return { ...strongest, algorithm };
  }
  if (own.length > 0) {
    const all = new Set([...own, ...foreign].map(({ hex }) => hex));
    return { rule: "must have one digest of this file", got: `${all.size}` };
  }
  const files = [...new Set(digests.flatMap(({ file }) => file || []))];
  if (files.length === 0) {
    const all = new Set([...pool, ...inner].map(({ hex }) => hex));
    return { rule: "must have one digest", got: `${all.size}` };
  }
  const rule = file === undefined
    ? "must have one digest for an input without a name"
    : "must name this file";
  return { rule, files };
}

/**
 * Lists the files of a refusal, for a sentence: three, and how many more there are. Returns
 * an empty string if there are none.
 *
 * @param {readonly string[]} files
 * @param {(file: string) => string} format Quotes and shortens a name.
 */
export function listFiles(files, format) {
  if (files.length === 0) return "";
  const shown = files.slice(0, MAX_LISTED_FILES).map(format).join(", ");
  const more = files.length - MAX_LISTED_FILES;
  return `digests of ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Whether two digests may be of different files: beside different names, or in different
 * lines of which one has other text.
 *
 * @param {WrittenDigest} one
 * @param {WrittenDigest} other
 */
function isElsewhere(one, other) {
  return one.file !== other.file ||
    one.line !== other.line && (one.isInText || other.isInText);
}

const MUST_BE_DIGEST = "must be a SHA-1, SHA-256 or SHA-512 digest";

/**
 * @param {string} algorithm
 * @returns {algorithm is Algorithm}
 */
function isComputed(algorithm) {
  return Object.hasOwn(ALGORITHM_NAMES, algorithm);
}

/**
 * Returns the digests beside the name of a file, which is the last part of its path. If
 * they differ, only those beside the whole path, if there are any.
 *
 * @param {WrittenDigest[]} digests
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

/** @param {string} path */
function toPath(path) {
  return path.trim().replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/**
 * Returns the digest with more digits, of equally long ones that of an algorithm that is
 * computed here.
 *
 * @param {WrittenDigest} one
 * @param {WrittenDigest} other
 */
function selectStronger(one, other) {
  const difference = one.hex.length - other.hex.length;
  if (difference !== 0) return difference > 0 ? one : other;
  return isComputed(one.algorithm) ? one : other;
}

/**
 * Returns the largest number of different digests of one algorithm.
 *
 * @param {WrittenDigest[]} digests
 */
function countDifferent(digests) {
  const byAlgorithm = /** @type {Map<string, Set<string>>} */ (new Map());
  for (const { algorithm, hex } of digests) {
    const same = byAlgorithm.get(algorithm) ?? new Set();
    byAlgorithm.set(algorithm, same.add(hex));
  }
  return Array.from(byAlgorithm.values(), ({ size }) => size)
    .reduce((one, other) => Math.max(one, other), 0);
}

/**
 * Describes a digest that cannot be compared.
 *
 * @param {WrittenDigest} digest
 */
function describeOther({ algorithm, hex, name }) {
  if (algorithm !== "") return algorithm.toUpperCase();
  const digits = `${hex.length} hexadecimal digits`;
  return name === "" ? digits : `${digits} as ${name.toUpperCase()}`;
}

/**
 * Returns the digests of a text that are in a digest's place, in the order of the text.
 *
 * @param {string} text
 */
export function readDigests(text) {
  return readText(text).digests;
}

/**
 * The digests in a line: those in a digest's place, and inner ones, which only prevent that
 * another digest counts as the only one.
 *
 * @typedef {object} Reading
 * @property {WrittenDigest[]} digests
 * @property {WrittenDigest[]} inner
 */

/**
 * @param {WrittenDigest} [digest] The only digest of a line.
 * @returns {Reading}
 */
function createReading(digest) {
  return { digests: digest === undefined ? [] : [digest], inner: [] };
}

/**
 * @param {string} text
 * @returns {Reading}
 */
function readText(text) {
  const digests = /** @type {WrittenDigest[]} */ ([]);
  const inner = /** @type {WrittenDigest[]} */ ([]);
  // The algorithm that a list of PowerShell names before the digest.
  let algorithm = "";
  for (const { text: line, number, hasLabel } of joinLines(text)) {
    const [, property, value = ""] = PROPERTY.exec(line) ?? [];
    if (property?.toLowerCase() === "algorithm") {
      algorithm = unquote(value);
    } else if (property) {
      const last = digests.at(-1);
      if (last?.file === "Hash") last.file = unquote(value);
    } else {
      const found = hasLabel
        ? createReading(readLast(line, algorithm))
        : readLine(line, algorithm);
      for (const digest of found.digests) {
        digests.push({ ...digest, line: number });
      }
      for (const digest of found.inner) inner.push(digest);
      if (line.trim() === "") algorithm = "";
    }
  }
  // If no line has a digest of a known or named algorithm, the text may be one digest that
  // is broken into several lines.
  const isFound = [...digests, ...inner].some(({ algorithm }) => algorithm);
  const whole = text.trim();
  const isBroken = !isFound && whole.length <= MAX_BROKEN_LENGTH &&
    /^[\da-f]+(?:(?:[ :-]|\s*\n\s*)[\da-f]+)*$/i.test(whole);
  const digits = isBroken ? whole.replaceAll(/[\s:-]/g, "") : "";
  if (!ALGORITHMS.has(digits.length)) return { digests, inner };
  return { digests: [{ ...createDigest("", digits, ""), line: 1 }], inner: [] };
}

/**
 * A line, joined with those that continue it.
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {number} number Of its first line, from 1.
 * @property {boolean} hasLabel Whether it is a label, and a digest that was below it.
 */

/**
 * Divides a text into lines, which end at LF or CRLF. A line is joined with those that
 * continue it: with the rest of a digest in groups, of a property that is broken at the
 * width of a window, or with a digest below a line that ends with a colon. The signature of
 * a signed text is left out.
 *
 * @param {string} text
 */
function joinLines(text) {
  const lines = /** @type {Line[]} */ ([]);
  let isSignature = false;
  let end = "";
  let count = 0;
  for (const [i, part] of text.split("\n").entries()) {
    const line = part.endsWith("\r") ? part.slice(0, -1) : part;
    if (line === "-----BEGIN PGP SIGNATURE-----") isSignature = true;
    const last = lines.at(-1);
    if (isSignature) {
      isSignature = line !== "-----END PGP SIGNATURE-----";
      end = "";
    } else if (last && count < MAX_CONTINUED_LINES && continues(end, line)) {
      const isWhole = end === "label" || end === "groups";
      last.text += isWhole ? ` ${line.trim()}` : line.trim();
      last.hasLabel ||= end === "label";
      count += 1;
    } else {
      lines.push({ text: line, number: i + 1, hasLabel: false });
      end = describeEnd(line);
      count = 0;
    }
  }
  return lines;
}

/**
 * Describes the end of a line that may go on in the next one: `label` for a colon, `groups`
 * or `digits` for hexadecimal digits behind a colon or equals sign, `path` for a property
 * of PowerShell. Otherwise returns an empty string.
 *
 * @param {string} line
 */
function describeEnd(line) {
  if (PROPERTY.test(line)) return line.includes('"') ? "" : "path";
  const text = line.trimEnd();
  if (text.endsWith(":")) return "label";
  const start = 1 + Math.max(text.lastIndexOf(":"), text.lastIndexOf("="));
  const words = text.slice(start).trim().split(/\s+/);
  if (start === 0 || !words.every(isHex)) return "";
  return words.every(isGroup) ? "groups" : "digits";
}

/**
 * Whether a line continues one with the given end.
 *
 * @param {string} end See `describeEnd()`.
 * @param {string} line
 */
function continues(end, line) {
  if (end === "label") return WHOLE.test(line) || PART.test(line);
  if (end === "" || !/^\s+\S/.test(line)) return false;
  if (end === "path") return !PROPERTY.test(line);
  const words = line.trim().split(/\s+/);
  return end === "groups"
    ? words.every(isGroup)
    : words.length === 1 && words.every(isHex);
}

/** @param {string} text */
function isGroup(text) {
  return text.length <= MAX_GROUP_LENGTH && isHex(text);
}

/**
 * @param {string} line
 * @param {string} algorithm Name of the algorithm if the line has none.
 * @returns {Reading}
 */
function readLine(line, algorithm) {
  if (line.length < MIN_LENGTH || CUT_ROW.test(line)) return createReading();
  if (SHORT_TAGGED.test(line)) return createReading();
  const only = readTagged(line) ?? readWhole(line);
  if (only !== undefined) return createReading(only);
  const first = readFirst(line) ?? readRow(line);
  const { digests, inner } = first === undefined
    ? readNamed(line)
    : createReading(first);
  const last = readLast(line, algorithm);
  if (last === undefined) return { digests, inner };
  const end = digests.pop() ?? last;
  // The line can be read in two ways, such as `digest  a: b = digest`.
  if (end.hex !== last.hex) {
    return { digests: [], inner: [...digests, end, last, ...inner] };
  }
  // Of several digests in a line, none is beside the name of a file.
  const others = inner.filter(({ hex }) => hex !== last.hex);
  const isOnly = digests.length + others.length === 0;
  const file = isOnly ? last.file : "";
  return { digests: [...digests, { ...last, file }], inner: others };
}

/**
 * Reads `SHA256 (file) = digest` and `SHA2-256(file)= digest`. The name of the file may
 * contain parentheses and equals signs, so the digest is read after the last closing
 * parenthesis. Returns `undefined` for any other line.
 *
 * @param {string} line
 */
function readTagged(line) {
  const [start, escape = "", name = ""] = TAG.exec(line) ?? [];
  if (start === undefined) return;
  const end = line.lastIndexOf(")");
  const [, value = ""] = /^\s*=\s*(\S+)\s*$/.exec(line.slice(end + 1)) ?? [];
  const file = line.slice(start.length, end);
  return readValue(name, value, escape === "" ? file : unescapeFile(file));
}

/**
 * Reads a line that is one digest. Returns `undefined` for any other line.
 *
 * @param {string} line
 */
function readWhole(line) {
  const [, value = ""] = WHOLE.exec(line) ?? [];
  return readValue("", value);
}

/**
 * Reads `digest  file` of `sha256sum`, `digest *file`, and ` digest size file` of Debian.
 * Base64 must have padding, to be told from words. Returns `undefined` for any other line.
 *
 * @param {string} line
 */
function readFirst(line) {
  const [, indent = "", escape = "", value = "", rest = ""] =
    FIRST.exec(line) ?? [];
  if (!/^(?:0x)?[\da-f:-]+$|=$/i.test(value)) return;
  const size = indent === "" ? "" : /^\s+\d+\s+/.exec(rest)?.[0] ?? "";
  const file = rest.slice(size.length).replace(/^[ \t][ *]/, "").trim();
  return readValue("", value, escape === "" ? file : unescapeFile(file));
}

/**
 * Reads `SHA256  digest  path` of PowerShell's table. Returns `undefined` for any other
 * line.
 *
 * @param {string} line
 */
function readRow(line) {
  const [, name = "", value = "", path = ""] = ROW.exec(line) ?? [];
  return readValue(name, value, unquote(path));
}

/**
 * Reads a digest that is the last in its line, such as `file: digest` of GnuPG. Returns
 * `undefined` for any other line.
 *
 * @param {string} line
 * @param {string} algorithm Name of the algorithm if the line has none.
 */
function readLast(line, algorithm) {
  const [, label = "", prefix, value = ""] = LAST.exec(line) ?? [];
  const name = prefix ?? label.match(NAME_WORD)?.at(-1) ?? algorithm;
  const file = label.trim().replace(LAST_NAME, "").replace(HASH_OF, "");
  return readValue(name, value, unquote(file));
}

/**
 * Reads the digests behind the names of their algorithms, such as `sha256-digest`. If there
 * are several, they must be a list without other words, and have the lengths of their
 * algorithms, or none of them counts. Digits behind a colon or equals sign are inner ones.
 *
 * @param {string} line
 * @returns {Reading}
 */
function readNamed(line) {
  const digests = /** @type {WrittenDigest[]} */ ([]);
  let isList = true;
  let end = 0;
  for (
    const { 0: text, 1: name = "", 2: value = "", index } of line.matchAll(
      NAMED,
    )
  ) {
    // Of a name in quotes, such as a key in JSON, the name of an algorithm is no part.
    const quote = line.charAt(index + name.length);
    if (/["']/.test(quote) && line.charAt(index - 1) !== quote) continue;
    const digest = readValue(name, value);
    if (digest === undefined) continue;
    const gap = line.slice(end, index);
    isList &&= digests.length === 0 ||
      GAP.test(gap) && digest.algorithm !== "";
    digests.push({ ...digest, isInText: true });
    end = index + text.length;
  }
  const inner = Array.from(line.matchAll(INNER), ([, value = ""]) => {
    return createDigest("", value, "");
  });
  if (!isList) return { digests: [], inner: [...digests, ...inner] };
  const counted = new Set(digests.map(({ hex }) => hex));
  return { digests, inner: inner.filter(({ hex }) => !counted.has(hex)) };
}

/**
 * Reads a digest in hexadecimal or Base64. Returns `undefined` for any other value. If the
 * name is empty, also returns `undefined` for Base64 and groups of digits that are no
 * digest of SHA-1, SHA-256 or SHA-512.
 *
 * @param {string} name Name of the algorithm; empty if the text names none.
 * @param {string} value
 * @param {string} [file] Name of the file; empty if the text names none.
 * @returns {WrittenDigest | undefined}
 */
function readValue(name, value, file = "") {
  if (/\s/.test(value)) return readGroups(name, value, file);
  const digits = PAIRS.test(value)
    ? value.replaceAll(/[:-]/g, "")
    : value.replace(/^0x/i, "");
  if (isHex(digits)) {
    const isLong = digits.length >= MIN_HEX_LENGTH;
    return isLong ? createDigest(name, digits, file) : undefined;
  }
  if (!ONLY_BASE64.test(value)) return;
  const hex = decodeBase64(value);
  const lengths = name === "" ? ALGORITHMS : LENGTHS;
  return lengths.has(hex.length) ? createDigest(name, hex, file) : undefined;
}

/**
 * Reads a digest in groups of equally many digits. Returns `undefined` for other groups.
 *
 * @param {string} name
 * @param {string} value
 * @param {string} file
 * @returns {WrittenDigest | undefined}
 */
function readGroups(name, value, file) {
  const [first = "", ...groups] = value.split(/\s+/);
  if (groups.some(({ length }) => length !== first.length)) return;
  // GnuPG writes two spaces in the middle. Other wide gaps divide a checksum and a name.
  const [left = "", right, more] = value.split(/\s{2,}|\t/);
  if (more !== undefined) return;
  if (right !== undefined && right.length !== left.length) return;
  const digits = first + groups.join("");
  if (LENGTHS.has(digits.length)) return createDigest(name, digits, file);
}

/**
 * @param {string} name
 * @param {string} digits
 * @param {string} file
 * @returns {WrittenDigest}
 */
function createDigest(name, digits, file) {
  const hex = digits.toLowerCase();
  const fitting = ALGORITHMS.get(hex.length) ?? "";
  const written = name.toLowerCase();
  const plain = written.replaceAll(/[-_]/g, "");
  const known = FAMILIES.has(plain) ? fitting : NAMES.get(plain);
  const isWrong = known !== undefined && known !== fitting;
  const algorithm = isWrong ? "" : known ?? written;
  return { algorithm, hex, name, file, line: 0, isInText: false };
}

/** @param {string} text */
function isHex(text) {
  return /^[\da-f]+$/i.test(text);
}

/**
 * Removes quotes around a text, and the bracket or comma of a list beside them.
 *
 * @param {string} text
 */
function unquote(text) {
  const inner = text.trim().replace(/^[{[(]\s*/, "");
  return /^(["'`])(.*)\1,?$/s.exec(inner)?.[2] ?? inner;
}

/**
 * Reads a name that GNU tools have written with backslashes.
 *
 * @param {string} file
 */
function unescapeFile(file) {
  const characters = new Map([["n", "\n"], ["r", "\r"]]);
  return file.replaceAll(/\\(.)/g, (_, character) => {
    return characters.get(character) ?? character;
  });
}

/**
 * Decodes Base64 of either alphabet to lower-case hexadecimal. Returns an empty string for
 * any other text.
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
    return "";
  }
}
