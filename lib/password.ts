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

import {
  checkArray,
  checkInteger,
  checkNumber,
  checkString,
} from "./values/check.ts";

/**
 * The characters of each class, in the order in which the description of `GET
 * /api/password` lists the classes.
 */
export const CHARACTER_CLASSES: Readonly<
  Record<"uppercase" | "lowercase" | "numbers" | "symbols", string>
> = {
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  numbers: "0123456789",
  // The ASCII punctuation that needs no escaping in JSON or in quotes.
  symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};

/** Characters that are easily confused with each other. */
const LOOK_ALIKES = /[0O1Il5S]/g;

/**
 * The ratings, each with its lowest entropy in bits, inclusive. The bounds of the upper
 * three are those of KeePassXC.
 */
const RATINGS = [
  { minBits: 100, strength: "very-strong" },
  { minBits: 75, strength: "strong" },
  { minBits: 40, strength: "fair" },
  { minBits: 28, strength: "weak" },
] as const satisfies readonly { minBits: number; strength: Strength }[];

/** Strength of a password, from weakest to strongest. */
export type Strength = "very-weak" | "weak" | "fair" | "strong" | "very-strong";

/** Removes `0`, `O`, `1`, `I`, `l`, `5` and `S`. */
export function removeLookAlikes(characters: string): string {
  checkString("characters", characters);
  return characters.replace(LOOK_ALIKES, "");
}

/** Largest number of classes, of characters in all classes, and of characters in a password. */
const MAX_CLASSES = 8;
const MAX_CHARACTERS = 256;
const MAX_LENGTH = 1_000_000;

/** Least share of random texts that have a character of each class, so that few are drawn. */
const MIN_SHARE = 1 / 1_000;

/**
 * Generates a password that has at least one character of each class. If the length is less
 * than the number of classes, characters of any classes will do. All such passwords of the
 * length are equally likely.
 *
 * @param classes 1 to 8 classes, with at most 256 characters together: each is a string of
 * ASCII characters, of which none is in two classes.
 * @param length Length of the password, in characters: 0 to 1,000,000.
 * @throws {TypeError} if the classes are not an array of strings, or the length is not a
 * number.
 * @throws {RangeError} for classes or a length out of these bounds, and if fewer than one
 * random text of this length in 1,000 would have a character of each class.
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
    // If a class is missing, the whole password is drawn again. This keeps all valid
    // passwords equally likely.
    if (length < classes.length || hasEachClass(password, classes)) {
      return password;
    }
  }
}

/**
 * Checks the sizes of classes and the length of a password. Returns the share of valid
 * passwords among all texts of this length.
 *
 * @param name Name of the argument with the classes, for messages.
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
      `${name} must be 1 to ${MAX_CLASSES}, none empty, with ${MAX_CHARACTERS} characters at most, got ${count} with ${total}`,
    );
  }
  checkInteger("length", length, { min: 0, max: MAX_LENGTH });
  if (length < count) return 1;
  const share = computeShare(sizes, { length, total });
  if (share >= MIN_SHARE) return share;
  throw new RangeError(
    `length must be such that one text in ${
      1 / MIN_SHARE
    } has a character of each class, got ${length}`,
  );
}

function hasEachClass(password: string, classes: readonly string[]): boolean {
  return classes.every((characters) => {
    for (const character of password) {
      if (characters.includes(character)) return true;
    }
    return false;
  });
}

/** Draws each character of a password uniformly and independently. */
function drawCharacters(alphabet: string, length: number): string {
  // Only bytes below `limit` are used: the largest multiple of the alphabet's length, up to
  // 256. With all bytes, the first characters of the alphabet would be more likely.
  const limit = 256 - 256 % alphabet.length;
  let characters = "";
  while (characters.length < length) {
    const byte = drawByte();
    if (byte < limit) characters += alphabet[byte % alphabet.length];
  }
  return characters;
}

/** A reserve of random bytes: to call `getRandomValues()` for each byte would be slow. */
const randomBytes = new Uint8Array(4096);
/** Number of bytes that were taken from the reserve. */
let usedBytes = randomBytes.length;

/** Takes the next random byte from the reserve, which is refilled when it is used up. */
function drawByte(): number {
  if (usedBytes === randomBytes.length) {
    crypto.getRandomValues(randomBytes);
    usedBytes = 0;
  }
  const byte = randomBytes[usedBytes]!;
  usedBytes += 1;
  return byte;
}

/**
 * Computes the exact entropy, in bits, of a generated password: the binary
 * logarithm of the number of passwords that `generatePassword()` can return for
 * classes of these sizes.
 *
 * @throws {TypeError} if the sizes are not an array of numbers, or the length is not a
 * number.
 * @throws {RangeError} for classes or a length that `generatePassword()` rejects.
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
 * Computes the share of passwords that have at least one character of each class, among all
 * passwords of the length. The method is inclusion and exclusion over the sets of missing
 * classes. `total` is the number of characters in all classes.
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
 * Rates an entropy: `weak` from 28 bits on, `fair` from 40, `strong` from 75, `very-strong`
 * from 100; `very-weak` below.
 *
 * @throws {TypeError} if the entropy is not a number.
 * @throws {RangeError} if it is not finite, or below 0.
 */
export function rateStrength(bits: number): Strength {
  checkNumber("bits", bits);
  if (!(bits >= 0 && bits < Infinity)) {
    throw new RangeError(`bits must be a number of at least 0, got ${bits}`);
  }
  return RATINGS.find(({ minBits }) => bits >= minBits)?.strength ??
    "very-weak";
}
