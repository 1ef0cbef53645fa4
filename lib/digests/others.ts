/**
 * Finds the digests of a line that are not in a digest's place. One of them may be the
 * digest, and the one in its place the name of a file.
 *
 * @module
 */

import {
  createDigest,
  isPlain,
  type LineDigest,
  type Reading,
} from "./reading.ts";
import { NAME, VALUE } from "./value.ts";

/**
 * A digest, or what looks like one, anywhere in a line, with the name of its algorithm or
 * without: `(a9993e…)`, `sha1 | a9993e…`. Then the sign behind a label, as in
 * `"a9993e…": {` and `image:a9993e…@`. But not in a path, behind `%2F` in an address, or
 * before an extension.
 */
const WORD = new RegExp(
  String.raw`(?<=(?:^|[^\w./\\%+-]|(?<!\S)\\)-{0,2})` +
    String.raw`(?:(${NAME})(?:-|[^\w./\\+-]+))?(?!${NAME}-)(${VALUE})` +
    String.raw`(?![\w/\\+-]|\.\w)(["']?\s*[:=]|@)?`,
  "gi",
);

/** The gap between groups of digits, `A999 3E36`, but not beside pairs, `A9:99 3E36`. */
const GROUP_GAP =
  /(?<=\b(?<!\b[\da-f]{2}[:-])[\da-f]{2,16})\s+(?=[\da-f]{2,16}(?!\w|[:-][\da-f]))/gi;

/**
 * Adds the other digests of a line to those in a digest's place, as doubtful ones: the first
 * digest of `a9993e…  sha1 da39a3…` may be the name of a file, whose digest is the second.
 * It still counts for the file `sha1 da39a3…`, as `sha1sum` writes it.
 */
export function addOthers(
  { digests, doubtful }: Reading,
  line: string,
): Reading {
  const [digest] = digests;
  if (digest === undefined) return { digests, doubtful };
  const others = findOthers(line, digests);
  // Only the last part of a path is the name of a file: no digest may be before it.
  const [folder = ""] = /^.*[/\\]/s.exec(digest.file) ?? [];
  const inFolder = findOthers(`${digest.hex} ${folder}`, digests);
  return others.length > 0 && inFolder.length > 0
    ? { digests: [], doubtful: [...digests, ...doubtful, ...others] }
    : { digests, doubtful: [...doubtful, ...others] };
}

/**
 * Finds the digests in a text besides those in a digest's place. A label before these is
 * none, such as the key in `"a9993e…": {"sha1": "da39a3…"}`.
 *
 * @param digests Those in a digest's place.
 */
function findOthers(
  text: string,
  digests: readonly LineDigest[],
): LineDigest[] {
  const others: LineDigest[] = [];
  const known = new Set(digests.map(({ hex }) => hex));
  let isBehind = false;
  for (const match of text.replaceAll(GROUP_GAP, "").matchAll(WORD)) {
    const { 1: name = "", 2: value = "", 3: label } = match;
    if (name === "" && !isPlain(value)) continue;
    const digest = createDigest(name, value);
    if (digest === undefined) continue;
    const isKnown = known.has(digest.hex);
    isBehind ||= isKnown;
    if (!isKnown && (isBehind || label === undefined)) others.push(digest);
  }
  return others;
}
