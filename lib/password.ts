/**
 * Generates random passwords, computes their exact entropy and rates it. This module
 * runs in every JavaScript runtime with Web Crypto.
 *
 * ```ts
 * import {
 *   CHARACTER_CLASSES,
 *   computeEntropy,
 *   generatePassword,
 *   rateStrength,
 * } from "@devutils/service/password";
 *
 * const classes = [CHARACTER_CLASSES.lowercase, CHARACTER_CLASSES.numbers];
 * console.log(generatePassword(classes, 20).length); // 20
 * const bits = computeEntropy(classes.map(({ length }) => length), 20);
 * console.log(rateStrength(bits)); // very-strong
 * ```
 *
 * @module
 */

import { checkArray, checkInteger, checkType } from "./check.ts";

/**
 * The characters of each class.
 */
export const CHARACTER_CLASSES: Readonly<
  Record<"uppercase" | "lowercase" | "numbers" | "symbols", string>
> = {
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  numbers: "0123456789",
  // ASCII punctuation that needs no escaping in JSON or in quotes.
  symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};

const LOOK_ALIKES = /[0O1Il5S]/g;

/** The ratings above `very-weak`. From 40 bits on, KeePassXC has the same thresholds. */
const RATINGS = [
  { minBits: 100, strength: "very-strong" },
  { minBits: 75, strength: "strong" },
  { minBits: 40, strength: "fair" },
  { minBits: 28, strength: "weak" },
] as const satisfies readonly { minBits: number; strength: Strength }[];

/** The ratings of a password, from the weakest to the strongest. */
export type Strength = "very-weak" | "weak" | "fair" | "strong" | "very-strong";

/**
 * Removes `0`, `O`, `1`, `I`, `l`, `5` and `S`, which are easily confused.
 *
 * @throws {TypeError} if `characters` is not a string.
 */
export function removeLookAlikes(characters: string): string {
  checkType("characters", characters, "string");
  return characters.replace(LOOK_ALIKES, "");
}

const MAX_CLASSES = 8;

/** Largest number of characters in all classes, so that one byte selects a character. */
const MAX_CHARACTERS = 256;

const MAX_LENGTH = 1_000_000;

const MAX_BYTES = 4096;

/** Largest average number of strings that are drawn until one has each class. */
const MAX_DRAWS = 1_000;

/**
 * Generates a password that has at least one character of each class. If the length is less
 * than the number of classes, the characters can be from any of the classes. All passwords
 * that can be returned for the classes and the length are equally likely.
 *
 * @param classes 1 to 8 classes, none empty, with at most 256 characters in total. Each class
 * is a string of distinct ASCII characters that are in no other class, which is not checked.
 * @param length Length of the password, in characters: an integer from 0 to 1,000,000.
 * @throws {TypeError} if the classes are not an array of strings, or the length is not a
 * number.
 * @throws {RangeError} for an invalid number or size of classes, for a length out of bounds,
 * and if fewer than one in 1,000 strings of these characters and this length has a character
 * of each class.
 */
export function generatePassword(
  classes: readonly string[],
  length: number,
): string {
  checkArray("classes", classes, "string");
  checkDraw("classes", classes.map((characters) => characters.length), length);
  const alphabet = classes.join("");
  for (;;) {
    const password = drawCharacters(alphabet, length);
    // To replace single characters would make some passwords more likely than others.
    if (length < classes.length || hasEachClass(password, classes)) {
      return password;
    }
  }
}

/**
 * Checks the sizes of classes and the length of a password, and returns the share of valid
 * passwords among all strings of these characters and this length.
 *
 * @param name Name of the argument with the classes or their sizes, for messages.
 */
function checkDraw(
  name: string,
  sizes: readonly number[],
  length: number,
): number {
  const { length: count } = sizes;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const areSizes = sizes.every((size) => Number.isInteger(size) && size > 0);
  if (
    count < 1 || count > MAX_CLASSES || !areSizes || total > MAX_CHARACTERS
  ) {
    throw new RangeError(
      `${name} must be 1 to ${MAX_CLASSES} non-empty sets with at most ${MAX_CHARACTERS} characters in total, got ${count} with ${total}`,
    );
  }
  checkInteger("length", length, { min: 0, max: MAX_LENGTH });
  if (length < count) return 1;
  const share = computeShare(sizes, { length, total });
  if (share >= 1 / MAX_DRAWS) return share;
  throw new RangeError(
    `length must be such that one draw in ${MAX_DRAWS} has a character of each class, got ${length}`,
  );
}

function hasEachClass(password: string, classes: readonly string[]): boolean {
  const used = new Set(password);
  return classes.every((characters) =>
    [...characters].some((character) => used.has(character))
  );
}

/** Draws each character of a password uniformly and independently. */
function drawCharacters(alphabet: string, length: number): string {
  // Bytes from the largest multiple of the alphabet's length on are dropped: they would make
  // the first characters more likely.
  const limit = 256 - 256 % alphabet.length;
  const bytes = new Uint8Array(Math.min(2 * length, MAX_BYTES));
  let characters = "";
  while (characters.length < length) {
    crypto.getRandomValues(bytes);
    for (const byte of bytes) {
      if (characters.length === length) break;
      if (byte < limit) characters += alphabet[byte % alphabet.length];
    }
  }
  return characters;
}

/**
 * Computes the exact entropy, in bits, of a generated password: the binary logarithm of the
 * number of passwords that `generatePassword()` can return for this length and classes of
 * these sizes.
 *
 * @param classSizes Numbers of characters in the classes.
 * @throws {TypeError} if the sizes are not an array of numbers, or the length is not a
 * number.
 * @throws {RangeError} if a size is not a positive integer, or for sizes or a length that
 * `generatePassword()` rejects.
 */
export function computeEntropy(
  classSizes: readonly number[],
  length: number,
): number {
  checkArray("classSizes", classSizes, "number");
  const validShare = checkDraw("classSizes", classSizes, length);
  const total = classSizes.reduce((sum, size) => sum + size, 0);
  return length * Math.log2(total) + Math.log2(validShare);
}

/**
 * Computes the share of strings with at least one character of each class, among all strings
 * of `length` characters, by inclusion and exclusion over the sets of missing classes.
 */
function computeShare(
  classSizes: readonly number[],
  { length, total }: { length: number; total: number },
): number {
  let share = 0;
  for (let missing = 0; missing < 2 ** classSizes.length; missing += 1) {
    let left = total;
    let sign = 1;
    for (let i = 0; i < classSizes.length; i += 1) {
      if ((missing >> i & 1) === 0) continue;
      left -= classSizes[i]!;
      sign = -sign;
    }
    share += sign * (left / total) ** length;
  }
  return share;
}

/**
 * Rates an entropy in bits: `very-weak` below 28, `weak` from 28 on, `fair` from 40,
 * `strong` from 75, `very-strong` from 100.
 *
 * @throws {TypeError} if the entropy is not a number.
 * @throws {RangeError} if the entropy is not finite, or below 0.
 */
export function rateStrength(bits: number): Strength {
  checkType("bits", bits, "number");
  if (!(bits >= 0 && bits < Infinity)) {
    throw new RangeError(
      `bits must be a finite number of at least 0, got ${bits}`,
    );
  }
  return RATINGS.find(({ minBits }) => bits >= minBits)?.strength ??
    "very-weak";
}
