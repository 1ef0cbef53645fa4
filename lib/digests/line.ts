/**
 * Reads the digests in one line of a text, in the notations that `choice.ts` lists.
 *
 * A digest counts only in a digest's place, so that a file that is named by a digest is not
 * mistaken for its digest. If a line can be read in two ways, none of its digests counts.
 *
 * @module
 */

import { addOthers } from "./others.ts";
import {
  createDigest,
  createReading,
  isPlain,
  type LineDigest,
  type Reading,
} from "./reading.ts";
import { GROUPS, NAME, VALUE } from "./value.ts";

/** Smallest number of characters of a digest: that of MD5 in Base64, without padding. */
const MIN_LENGTH = 22;

/** Quotes and brackets before a digest. */
const OPENING = "[\"'`(\\[{<]*";

/** Quotes, brackets and the like behind a digest, such as the backslash of pip's lists. */
const CLOSING = "[\"'`)\\]}>,;\\\\\\s]*";

/** A line that is one digest, in quotes or not: `"a9993e…"`. */
const WHOLE = new RegExp(`^\\s*${OPENING}(${VALUE}|${GROUPS})${CLOSING}$`, "i");

/**
 * A digest that begins a line: `a9993e…  file` of `sha256sum`, `\a9993e…  a\nb` of one whose
 * name is escaped, ` a9993e…  12 main/Packages` of Debian.
 */
const FIRST = new RegExp(String.raw`^(\s*)(\\?)(${VALUE})(\s.*)$`, "is");

/** `SHA256 (file) = a9993e…` up to the parenthesis; `\SHA256 (` if the name is escaped. */
const TAG = /^\s*(\\?)([\w/-]+) ?\(/;

/** `XXH64 (file) = 0123…`, whose sum is shorter than a digest: of this, nothing is read. */
const SHORT_TAGGED = /^\s*\\?[\w/-]+ ?\(.*\)\s*=\s*[\da-f]{1,31}\s*$/is;

/** `SHA256  a9993e…  path` or `"SHA256","a9993e…","path"`, and `sha256 "a9993e…"`. */
const ROW = new RegExp(
  String.raw`^\s*["']?(${NAME})["']?[\s,]+["']?(${VALUE})["']?(?:[\s,]+(.*))?$`,
  "is",
);

/** `SHA256  a9993e36...  path`, which is cut off: of this, nothing is read. */
const CUT_ROW = new RegExp(
  String.raw`^\s*["']?${NAME}["']?[\s,]+["']?[\da-f]{8,}(?:\.\.\.|…)`,
  "i",
);

/**
 * A digest that ends a line, behind a colon or an equals sign: `file: A999 3E36 …`,
 * `"file": "sha1-qZk+Nk…",`, `checksum = "a9993e…"`.
 */
const LAST = new RegExp(
  String.raw`^(.*?)[:=]\s*${OPENING}` +
    String.raw`(?:(${NAME})[-:=]\s*)?(${VALUE}|${GROUPS})${CLOSING}$`,
  "is",
);

/**
 * The name of an algorithm and its digest anywhere in a line: `sha1-qZk+Nk…`,
 * `sha-1=:qZk+Nk…:`, `"sha1": "a9993e…"`, `sha1 "a9993e…"`. But not in a path, such as
 * `v/sha1-a9993e….tgz`, and not in a key of JSON, such as `"sha1-a9993e…":`.
 */
const NAMED = new RegExp(
  String.raw`(?<![\w./\\+-])(${NAME})` +
    String.raw`(?:["']?\s*[:=]+\s*["']?|-|\s+["']?)` +
    String.raw`(${VALUE})(?![\w./\\+=-]|["']?\s*:\s|["']\s*:)`,
  "gi",
);

/** The text between two digests of a list in one line: a space, `, `, `:, `, `" "`. */
const GAP = /^:?[\s"',;]+$/;

/** Hexadecimal digits behind a colon or an equals sign, with text after them: `=a9993e…;`. */
const INNER = /[:=]\s*["']?([\da-f]{32,256})["']?(?=[\s,;])/gi;

/** The name of an algorithm as a word, as in `file: SHA1 ` and `SHA1 Fingerprint`. */
const NAME_WORD = new RegExp(
  String.raw`(?<![\w./\\-])(${NAME})(?![\w./\\-])`,
  "gi",
);

/** The text before the name of a file in a label: `SHA256 hash of file` of `certutil`. */
const HASH_OF = new RegExp(`^${NAME} hash of (?:file )?`, "i");

/** The text after the name of a file in a label: `file: SHA256` of GnuPG. */
const LAST_NAME = new RegExp(
  String.raw`(?:^|:)\s*["']?${NAME}["']?\s*$`,
  "i",
);

/**
 * Reads the digests in a line.
 *
 * @param algorithm Name of the algorithm if the line has none.
 */
export function readLine(line: string, algorithm: string): Reading {
  // A text may have a million short lines.
  if (line.length < MIN_LENGTH) return createReading();
  if (CUT_ROW.test(line) || SHORT_TAGGED.test(line)) return createReading();
  const only = readTagged(line) ?? readWhole(line);
  if (only !== undefined) return createReading(only);
  const first = readFirst(line) ?? readRow(line);
  const placed = first === undefined ? readNamed(line) : createReading(first);
  const last = readLast(line, algorithm);
  const found = last === undefined ? placed : addLast(placed, last);
  return addOthers(found, line);
}

/**
 * Reads a line that is a label and a digest: `SHA256 hash of file: a9993e…`.
 *
 * @param algorithm Name of the algorithm if the line has none.
 */
export function readLabelled(line: string, algorithm: string): Reading {
  return createReading(readLast(line, algorithm));
}

/** Whether a line is one digest, in quotes or not. */
export function isDigest(line: string): boolean {
  return WHOLE.test(line);
}

/**
 * Adds the digest that ends a line to those that were found in another way. If it is not the
 * last of these, the line can be read in two ways, such as `a9993e…  a: b = da39a3…`.
 */
function addLast({ digests, doubtful }: Reading, last: LineDigest): Reading {
  const end = digests.at(-1);
  if (end !== undefined && end.hex !== last.hex) {
    return { digests: [], doubtful: [...digests, last, ...doubtful] };
  }
  const before = digests.slice(0, -1);
  const others = doubtful.filter(({ hex }) => hex !== last.hex);
  // Of several digests in a line, none is beside the name of a file.
  const isOnly = before.length + others.length === 0;
  const file = isOnly ? last.file : "";
  return { digests: [...before, { ...last, file }], doubtful: others };
}

/**
 * Reads `SHA256 (file) = a9993e…` and `SHA2-256(file)= a9993e…`. The name of the file may
 * contain parentheses and equals signs, so the digest is read after the last closing
 * parenthesis. Returns `undefined` for any other line.
 */
function readTagged(line: string): LineDigest | undefined {
  const [start, escape = "", name = ""] = TAG.exec(line) ?? [];
  if (start === undefined) return;
  const end = line.lastIndexOf(")");
  const [, value = ""] = /^\s*=\s*(\S+)\s*$/.exec(line.slice(end + 1)) ?? [];
  const file = line.slice(start.length, end);
  return createDigest(name, value, escape === "" ? file : unescapeFile(file));
}

/** Reads a line that is one digest. Returns `undefined` for any other line. */
function readWhole(line: string): LineDigest | undefined {
  const [, value = ""] = WHOLE.exec(line) ?? [];
  return createDigest("", value);
}

/**
 * Reads `a9993e…  file` of `sha256sum`, `a9993e… *file`, and ` a9993e… size file` of Debian.
 * Base64 must have padding, to be told from words. Returns `undefined` for any other line.
 */
function readFirst(line: string): LineDigest | undefined {
  const [, indent = "", escape = "", value = "", rest = ""] =
    FIRST.exec(line) ?? [];
  if (!isPlain(value)) return;
  const size = indent === "" ? "" : /^\s+\d+\s+/.exec(rest)?.[0] ?? "";
  const file = rest.slice(size.length).replace(/^[ \t][ *]/, "").trim();
  return createDigest("", value, escape === "" ? file : unescapeFile(file));
}

/**
 * Reads `SHA256  a9993e…  path` of PowerShell's table. Returns `undefined` for any other
 * line.
 */
function readRow(line: string): LineDigest | undefined {
  const [, name = "", value = "", path = ""] = ROW.exec(line) ?? [];
  return createDigest(name, value, unquote(path));
}

/**
 * Reads a digest that ends a line, such as `file: a9993e…` of GnuPG. Returns `undefined` for
 * any other line.
 *
 * @param algorithm Name of the algorithm if the line has none.
 */
function readLast(line: string, algorithm: string): LineDigest | undefined {
  const [, label = "", prefix, value = ""] = LAST.exec(line) ?? [];
  const name = prefix ?? label.match(NAME_WORD)?.at(-1) ?? algorithm;
  const file = label.trim().replace(LAST_NAME, "").replace(HASH_OF, "");
  return createDigest(name, value, unquote(file));
}

/**
 * Reads the digests behind the names of their algorithms, such as `sha1-qZk+Nk…`. If they
 * are no list, all of them are doubtful, as are digits behind a colon or equals sign.
 */
function readNamed(line: string): Reading {
  const matches = matchNamed(line);
  const digests = matches.map(({ digest }) => digest);
  const inner = Array.from(line.matchAll(INNER), ([, value = ""]) => {
    return createDigest("", value) ?? [];
  }).flat();
  return areList(matches, line)
    ? { digests, doubtful: inner }
    : { digests: [], doubtful: [...digests, ...inner] };
}

/** A digest behind the name of its algorithm, and where both begin and end in the line. */
interface NamedMatch {
  readonly digest: LineDigest;
  readonly start: number;
  readonly end: number;
}

/** Finds the digests behind the names of their algorithms. */
function matchNamed(line: string): readonly NamedMatch[] {
  const matches: NamedMatch[] = [];
  for (const match of line.matchAll(NAMED)) {
    const { 0: text, 1: name = "", 2: value = "", index: start } = match;
    // A name in quotes has a quote on either side: in `"x sha1": "a9993e…"`, which has one
    // behind it only, `sha1` is the end of another name.
    const quote = line.charAt(start + name.length);
    if (/["']/.test(quote) && line.charAt(start - 1) !== quote) continue;
    const digest = createDigest(name, value);
    if (digest === undefined) continue;
    const end = start + text.length;
    matches.push({ digest: { ...digest, isInText: true }, start, end });
  }
  return matches;
}

/** Whether digests of a line are a list, without other words between them. */
function areList(matches: readonly NamedMatch[], line: string): boolean {
  return matches.every(({ start }, i) => {
    const before = matches[i - 1];
    return before === undefined || GAP.test(line.slice(before.end, start));
  });
}

/** Removes quotes around a text, and the bracket or comma of a list beside them. */
export function unquote(text: string): string {
  const inner = text.trim().replace(/^[{[(]\s*/, "");
  return /^(["'`])(.*)\1,?$/s.exec(inner)?.[2] ?? inner;
}

/** Reads a name that GNU tools have written with backslashes: `a\nb`, `a\\b`. */
function unescapeFile(file: string): string {
  const characters = new Map([["n", "\n"], ["r", "\r"]]);
  return file.replaceAll(/\\(.)/g, (_, character) => {
    return characters.get(character) ?? character;
  });
}
