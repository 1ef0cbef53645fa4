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

import { checkArray, checkNumber, checkString } from "./check.ts";

/** The characters of each class, in the order in which the description of `GET /api/password` lists the classes. */
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

/**
 * Generates a password that has at least one character of each class. If the length is less
 * than the number of classes, characters of any classes will do. All such passwords of the
 * length are equally likely.
 *
 * @param classes At least one class: a string of ASCII characters, of which none is in two
 * classes.
 * @param length Length of the password, in characters.
 * @throws {TypeError} if the classes are not an array of strings, or the length is not a
 * number.
 * @throws {RangeError} if there is no class, an empty class, or more than 256 characters in
 * all classes, or if the length is not an integer of at least 0.
 */
export function generatePassword(
  classes: readonly string[],
  length: number,
): string {
  checkDraw(classes, length);
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

function checkDraw(classes: readonly string[], length: number): void {
  checkArray("classes", classes, "string");
  checkNumber("length", length);
  const total = classes.join("").length;
  if (classes.length === 0 || classes.includes("") || total > 256) {
    throw new RangeError(
      `classes must be 1 or more, none empty, with 256 characters at most, got ${classes.length} with ${total}`,
    );
  }
  if (!Number.isInteger(length) || length < 0) {
    throw new RangeError(
      `length must be an integer of at least 0, got ${length}`,
    );
  }
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

/** Random bytes in reserve, since a call of `getRandomValues()` for each byte would be slow. */
const randomBytes = new Uint8Array(4096);
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
 */
export function computeEntropy(
  classSizes: readonly number[],
  length: number,
): number {
  checkArray("classSizes", classSizes, "number");
  checkNumber("length", length);
  const total = classSizes.reduce((sum, size) => sum + size, 0);
  const validShare = length < classSizes.length
    ? 1
    : computeShare(classSizes, { length, total });
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
    for (const [i, size] of classSizes.entries()) {
      if ((missing >> i & 1) === 0) continue;
      left -= size;
      sign = -sign;
    }
    share += sign * (left / total) ** length;
  }
  return share;
}

/** Rates an entropy: `weak` from 28 bits on, `fair` from 40, `strong` from 75, `very-strong` from 100; `very-weak` below. */
export function rateStrength(bits: number): Strength {
  checkNumber("bits", bits);
  return RATINGS.find(({ minBits }) => bits >= minBits)?.strength ??
    "very-weak";
}
