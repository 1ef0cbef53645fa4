/**
 * Random passwords: generation, exact entropy, rating. It runs in every
 * JavaScript runtime with Web Crypto.
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

/** The characters of each class, in the order of their query parameters. */
export const CHARACTER_CLASSES: Readonly<
  Record<"uppercase" | "lowercase" | "numbers" | "symbols", string>
> = {
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  numbers: "0123456789",
  // The ASCII punctuation that needs no escaping in JSON or in quotes.
  symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};

/** Characters that look like another of them. */
const LOOK_ALIKES = /[0O1Il5S]/g;

/** Lowest entropy of each rating, in bits, inclusive; the upper three as in KeePassXC. */
const RATINGS = [
  { minBits: 100, strength: "very-strong" },
  { minBits: 75, strength: "strong" },
  { minBits: 40, strength: "fair" },
  { minBits: 28, strength: "weak" },
] as const satisfies readonly { minBits: number; strength: Strength }[];

/** How strong a password is, weakest first. */
export type Strength = "very-weak" | "weak" | "fair" | "strong" | "very-strong";

/** Leaves out `0`, `O`, `1`, `I`, `l`, `5` and `S`. */
export function removeLookAlikes(characters: string): string {
  return characters.replace(LOOK_ALIKES, "");
}

/**
 * Draws a password of the given length in characters from the given classes
 * (strings of distinct ASCII characters, at least one class), uniformly from
 * all that have at least one character of each class; where the length is less
 * than the number of classes, from all there are.
 *
 * @throws {RangeError} where there is no class, an empty one, more than 256
 * characters in all, or where the length is no integer of at least 0.
 */
export function generatePassword(
  classes: readonly string[],
  length: number,
): string {
  checkDraw(classes, length);
  const alphabet = classes.join("");
  for (;;) {
    const password = drawCharacters(alphabet, length);
    // To draw all characters again keeps the qualifying passwords equally likely.
    if (length < classes.length || hasEachClass(password, classes)) {
      return password;
    }
  }
}

function checkDraw(classes: readonly string[], length: number): void {
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

/** Draws each character uniformly and independently. */
function drawCharacters(alphabet: string, length: number): string {
  // Bytes above the last whole multiple of the alphabet's length are rejected:
  // they would make its first characters more likely.
  const limit = 256 - 256 % alphabet.length;
  let characters = "";
  while (characters.length < length) {
    const byte = drawByte();
    if (byte < limit) characters += alphabet[byte % alphabet.length];
  }
  return characters;
}

/** Buffer of random bytes: one call for many of them is much cheaper than a call each. */
const randomBytes = new Uint8Array(4096);
let usedBytes = randomBytes.length;

/** Returns the next random byte, each of them once. */
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
 */
export function computeEntropy(
  classSizes: readonly number[],
  length: number,
): number {
  const total = classSizes.reduce((sum, size) => sum + size, 0);
  const qualifying = length < classSizes.length
    ? 1
    : computeShare(classSizes, { length, total });
  return length * Math.log2(total) + Math.log2(qualifying);
}

/**
 * Computes the share of all texts over `total` characters that have at least one
 * character of each class: by inclusion and exclusion, over the sets of classes
 * that a text may lack.
 */
function computeShare(
  classSizes: readonly number[],
  { length, total }: { length: number; total: number },
): number {
  let share = 0;
  for (let lacking = 0; lacking < 2 ** classSizes.length; lacking += 1) {
    let left = total;
    let sign = 1;
    for (const [i, size] of classSizes.entries()) {
      if ((lacking >> i & 1) === 0) continue;
      left -= size;
      sign = -sign;
    }
    share += sign * (left / total) ** length;
  }
  return share;
}

/** Rates an entropy in bits. */
export function rateStrength(bits: number): Strength {
  return RATINGS.find(({ minBits }) => bits >= minBits)?.strength ??
    "very-weak";
}
