/** The digests in one line: those that count, and those that only raise doubts. */

import { type Digest, readDigest } from "./value.ts";

/** A digest in a line. */
export interface LineDigest extends Digest {
  /**
   * Name or path of the file, as it is written beside the digest; empty if there is none.
   */
  readonly file: string;
  /** Whether other text of the line, such as an address, may be around it. */
  readonly isInText: boolean;
}

/** The digests in a line. */
export interface Reading {
  /** Those in a digest's place. */
  readonly digests: readonly LineDigest[];
  /**
   * Those that may be part of something else: they only prevent that another digest counts
   * as the only one.
   */
  readonly doubtful: readonly LineDigest[];
}

/** @param digest The only digest of a line. */
export function createReading(digest?: LineDigest): Reading {
  return { digests: digest === undefined ? [] : [digest], doubtful: [] };
}

/**
 * @param name Name of the algorithm; empty if the line names none.
 * @param file Name of the file; empty if the line names none.
 */
export function createDigest(
  name: string,
  value: string,
  file: string = "",
): LineDigest | undefined {
  const digest = readDigest(name, value);
  return digest && { ...digest, file, isInText: false };
}

/** Whether a value is no word: hexadecimal, or Base64 with padding. */
export function isPlain(value: string): boolean {
  return /^(?:0x)?[\da-f:-]+$|=$/i.test(value);
}
