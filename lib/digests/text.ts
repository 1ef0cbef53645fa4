/**
 * Reads all digests of a text: of its lines, of lines that belong together, and of a text
 * that is one digest in several lines.
 *
 * @module
 */

import { isDigest, readLabelled, readLine, unquote } from "./line.ts";
import type { LineDigest } from "./reading.ts";
import { GROUPS, isHex, NAME, readDigest } from "./value.ts";

/** A digest in a text. */
export interface TextDigest extends LineDigest {
  /** Number of its line, from 1. */
  readonly line: number;
}

/** The digests of a text in its order, divided as those of a line, see `Reading`. */
export interface TextDigests {
  readonly digests: readonly TextDigest[];
  readonly doubtful: readonly TextDigest[];
}

/**
 * Largest length of a text that is one digest in several lines, in UTF-16 code units: four
 * times that of SHA-512.
 */
const MAX_BROKEN_LENGTH = 512;

/** Largest number of digits in a group of a digest that is written in groups. */
const MAX_GROUP_LENGTH = 16;

/** `SHA256 = A999 3E36 …` of GnuPG, below the name of the file if that is long. */
const PART = new RegExp(String.raw`^\s*${NAME} = ${GROUPS}\s*$`, "i");

/**
 * A property of PowerShell's `Get-FileHash`, as a list or as JSON: `Algorithm : SHA256`,
 * `"Path":  "C:\\file"`.
 */
const PROPERTY = /^\s*"?(algorithm|path)"?\s*:(.*)$/is;

/** A text that is one digest: `a9993e36⏎4706816a⏎…`, `a9:99:3e:⏎47:…`. */
const BROKEN = /^[\da-f]+(?:(?:[ :-]|\s*\n\s*)[\da-f]+)*$/i;

/**
 * Returns the digests of a text. Takes linear time.
 */
export function readDigests(text: string): TextDigests {
  const found = readLines(text);
  const all = [...found.digests, ...found.doubtful];
  if (all.some(({ algorithm }) => algorithm !== "")) return found;
  const broken = readBroken(text.trim());
  return broken === undefined ? found : { digests: [broken], doubtful: [] };
}

/**
 * Reads a text that is one digest in one or several lines. Returns `undefined` for any other
 * text.
 */
function readBroken(text: string): TextDigest | undefined {
  if (text.length > MAX_BROKEN_LENGTH || !BROKEN.test(text)) return;
  const digest = readDigest("", text.replaceAll(/[\s:-]/g, ""));
  if (digest === undefined || digest.algorithm === "") return;
  return { ...digest, file: "", isInText: false, line: 1 };
}

function readLines(text: string): TextDigests {
  const digests: TextDigest[] = [];
  const doubtful: TextDigest[] = [];
  // PowerShell lists the algorithm of a digest before it, and the path of the file after it.
  let algorithm = "";
  for (const { text: line, number, isLabelled } of joinLines(text)) {
    const [, property, value = ""] = PROPERTY.exec(line) ?? [];
    if (property === undefined) {
      const read = isLabelled ? readLabelled : readLine;
      const found = read(line, algorithm);
      for (const each of found.digests) digests.push({ ...each, line: number });
      for (const each of found.doubtful) {
        doubtful.push({ ...each, line: number });
      }
      if (line.trim() === "") algorithm = "";
    } else if (property.toLowerCase() === "algorithm") {
      algorithm = unquote(value);
    } else {
      const last = digests.at(-1);
      if (last?.file === "Hash") {
        digests[digests.length - 1] = { ...last, file: unquote(value) };
      }
    }
  }
  return { digests, doubtful };
}

/** A line, joined with those that continue it. */
interface Line {
  text: string;
  /** Number of its first line, from 1. */
  readonly number: number;
  /** Whether it is a label, and a digest that was below it. */
  isLabelled: boolean;
}

/**
 * Divides a text into lines, and joins a line with those that continue it: with the rest of
 * a digest in groups, of a property that is broken at the width of a window, or with a
 * digest below a line that ends with a colon.
 */
function joinLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let end = "";
  for (const [i, line] of splitLines(text).entries()) {
    const last = lines.at(-1);
    if (last && continues(end, line)) {
      const isWhole = end === "label" || end === "groups";
      last.text += isWhole ? ` ${line.trim()}` : line.trim();
      last.isLabelled ||= end === "label";
    } else {
      lines.push({ text: line, number: i + 1, isLabelled: false });
      end = describeEnd(line);
    }
  }
  return lines;
}

/**
 * Divides a text into lines, which end at LF or CRLF. The lines of the signature of a signed
 * text become empty.
 */
function splitLines(text: string): readonly string[] {
  let isSignature = false;
  return text.split("\n").map((part) => {
    const line = part.endsWith("\r") ? part.slice(0, -1) : part;
    isSignature ||= line === "-----BEGIN PGP SIGNATURE-----";
    const kept = isSignature ? "" : line;
    isSignature &&= line !== "-----END PGP SIGNATURE-----";
    return kept;
  });
}

/**
 * Describes the end of a line that may go on in the next one: `label` for a colon, `groups`
 * or `digits` for hexadecimal digits behind a colon or equals sign, `path` for a property
 * of PowerShell. Otherwise returns an empty string.
 */
function describeEnd(line: string): string {
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
 * @param end See `describeEnd()`.
 */
function continues(end: string, line: string): boolean {
  if (end === "label") return isDigest(line) || PART.test(line);
  if (end === "" || !/^\s+\S/.test(line)) return false;
  if (end === "path") return !PROPERTY.test(line);
  return end === "groups"
    ? line.trim().split(/\s+/).every(isGroup)
    : isHex(line.trim());
}

function isGroup(text: string): boolean {
  return text.length <= MAX_GROUP_LENGTH && isHex(text);
}
