/**
 * Generates random passwords, computes their exact entropy, and rates it. Requires Web Crypto.
 *
 * ```ts
 * import { computeEntropy, generatePassword, rateStrength } from "@devutils/service/password";
 *
 * const classes = ["abcdefghijklmnopqrstuvwxyz", "0123456789"];
 * console.log(generatePassword(classes, 20).length); // 20
 * const bits = computeEntropy(classes.map(({ length }) => length), 20);
 * console.log(rateStrength(bits)); // very-strong
 * ```
 *
 * @module
 */

import { checkArray, checkInteger, checkType } from "./check.ts";

/** The characters in each class. */
export const CHARACTER_CLASSES: Readonly<
  Record<"uppercase" | "lowercase" | "numbers" | "symbols", string>
> = {
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  numbers: "0123456789",
  // ASCII punctuation that doesn't need escaping in JSON or in quoted strings.
  symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};

const LOOK_ALIKES = /[0O1Il5S]/g;

/** The thresholds of 40, 75, and 100 bits are the same as in KeePassXC. */
const RATINGS = [
  { minBits: 100, strength: "very-strong" },
  { minBits: 75, strength: "strong" },
  { minBits: 40, strength: "fair" },
  { minBits: 28, strength: "weak" },
] as const satisfies readonly { minBits: number; strength: Strength }[];

/** The rating of a password. */
export type Strength = "very-weak" | "weak" | "fair" | "strong" | "very-strong";

/**
 * Removes the easily confused characters `0`, `O`, `1`, `I`, `l`, `5`, and `S`.
 *
 * @throws {TypeError} if `characters` is not a string.
 */
export function removeLookAlikes(characters: string): string {
  checkType("characters", characters, "string");
  return characters.replace(LOOK_ALIKES, "");
}

const MAX_CLASSES = 8;

/** Maximum total for all classes, so that a single byte can select a character. */
const MAX_CHARACTERS = 256;

const MAX_LENGTH = 1_000_000;

const MAX_BYTES = 4096;

/** Maximum number of strings to draw, on average, until one contains every class. */
const MAX_DRAWS = 1_000;

/**
 * Generates a password with at least one character from each class. All such passwords are
 * equally likely. A password shorter than the number of classes can contain any characters.
 *
 * @param classes 1 to 8 nonempty strings with at most 256 characters in total. The characters
 * must be ASCII and distinct, but this isn't checked.
 * @param length Length of the password, from 0 to 1,000,000.
 * @throws {TypeError} if `classes` is not an array of strings, or `length` is not a number.
 * @throws {RangeError} if the classes or the length are out of range, or fewer than one in
 * 1,000 random strings of this length would contain every class.
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
    // Replacing only single characters would make some passwords more likely than others.
    if (length < classes.length || hasEachClass(password, classes)) {
      return password;
    }
  }
}

/** Checks the arguments, and returns the share of strings that contain every class. */
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
    const sets = count === 1 ? "1 set" : `${count} sets`;
    throw new RangeError(
      `${name} must contain 1 to ${MAX_CLASSES} non-empty sets with at most ${MAX_CHARACTERS} characters in total, got ${sets} with ${total} characters`,
    );
  }
  checkInteger("length", length, { min: 0, max: MAX_LENGTH });
  if (length < count) return 1;
  const share = computeShare(sizes, { length, total });
  if (share >= 1 / MAX_DRAWS) return share;
  throw new RangeError(
    `length must be such that at least one in ${MAX_DRAWS} draws contains every class, got ${length}`,
  );
}

function hasEachClass(password: string, classes: readonly string[]): boolean {
  const used = new Set(password);
  return classes.every((characters) =>
    [...characters].some((character) => used.has(character))
  );
}

/** Draws characters uniformly and independently. */
function drawCharacters(alphabet: string, length: number): string {
  // Bytes at or above the limit are dropped, because they would favor the first characters.
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
 * Computes the exact entropy of a generated password, in bits: the binary logarithm of the
 * number of passwords that `generatePassword()` can return.
 *
 * @param classSizes The number of characters in each class.
 * @throws {TypeError} if `classSizes` is not an array of numbers, or `length` is not a number.
 * @throws {RangeError} if `generatePassword()` would reject these sizes or this length.
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

/** Computes the share by applying inclusion-exclusion to the sets of missing classes. */
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
 * Rates an entropy: `weak` from 28 bits, `fair` from 40, `strong` from 75, and `very-strong`
 * from 100. Below 28 bits, the rating is `very-weak`.
 *
 * @throws {TypeError} if `bits` is not a number.
 * @throws {RangeError} if `bits` is negative or not finite.
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
