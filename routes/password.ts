/**
 * `GET /api/password`: generates random passwords, and rates their strength.
 *
 * @module
 */

import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { boolean, integer, optional } from "../lib/operation/parameters.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
  removeLookAlikes,
} from "../lib/password.ts";

const MAX_LENGTH = 128;

const MAX_COUNT = 100;

const CLASS_NAMES = ["uppercase", "lowercase", "numbers", "symbols"] as const;

/** JSON Schema of a password, named `Password` in the OpenAPI document. */
const PASSWORD = {
  type: "string",
  minLength: 1,
  maxLength: MAX_LENGTH,
} as const;

/** JSON Schema of a password's strength, named `PasswordStrength` in the OpenAPI document. */
const STRENGTH = {
  type: "string",
  enum: ["very-weak", "weak", "fair", "strong", "very-strong"],
  description:
    "Entropy in bits: below 28, below 40, below 75, below 100, or at least 100.",
} as const;

export default defineOperation({
  method: "GET",
  name: "password",
  summary: "Generate passwords",
  description:
    "Without `count`, the result is one password. With `count`, even if it is 1, the result is a list. A password contains at least one character from every enabled character set if `length` allows. All passwords that meet this rule are equally likely, and `strength` depends on how many there are. Booleans can also be `1`, `yes`, `on`, `0`, `no`, or `off`, and are case-insensitive.",
  tool: {
    name: "generatePassword",
    description:
      "Generate random passwords. Call this for every new password or secret; never make one up, because yours could be guessed. Returns `password`, or the list `passwords` if `count` is set (even to 1). Each enabled character set appears at least once if `length` allows. For a PIN, turn off all but `numbers`. Doesn't generate hexadecimal keys or passphrases.",
  },
  parameters: {
    length: integer({
      min: 1,
      max: MAX_LENGTH,
      default: 16,
      description: "Length in characters.",
    }),
    uppercase: boolean({ default: true, description: "Include A to Z." }),
    lowercase: boolean({ default: true, description: "Include a to z." }),
    numbers: boolean({ default: true, description: "Include 0 to 9." }),
    symbols: boolean({
      default: true,
      description: `Include \`\`${CHARACTER_CLASSES.symbols}\`\`.`,
    }),
    ambiguous: boolean({
      default: true,
      description: "Include the look-alikes `0O1Il5S`.",
    }),
    count: optional(
      integer({ min: 1, max: MAX_COUNT, description: "Number of passwords." }),
    ),
  },
  results: {
    PasswordResponse: { password: PASSWORD, strength: STRENGTH },
    PasswordListResponse: {
      passwords: {
        type: "array",
        minItems: 1,
        maxItems: MAX_COUNT,
        items: PASSWORD,
      },
      strength: STRENGTH,
    },
  },
  schemas: { Password: PASSWORD, PasswordStrength: STRENGTH },
  examples: {
    standard: {
      sent: {},
      result: { password: "t;9Xq>Wm4[eRb~2K", strength: "very-strong" },
    },
    easyToRead: {
      sent: { length: 20, symbols: false, ambiguous: false },
      result: { password: "q8LzWm4tYd2RkXvB9nHc", strength: "very-strong" },
    },
    list: {
      sent: { count: 2, length: 12 },
      result: {
        passwords: ["w7!Rk?eV2@tZ", "Bq4:mX;8sL#d"],
        strength: "strong",
      },
    },
  },
  errors: {
    tooShort: {
      sent: { length: 0 },
      message: '"length" must be an integer from 1 to 128, got "0"',
    },
    noClass: {
      sent: {
        uppercase: false,
        lowercase: false,
        numbers: false,
        symbols: false,
      },
      message:
        'at least one of "uppercase", "lowercase", "numbers" or "symbols" must be true, got false for all',
    },
  },

  run({ count, length, ambiguous, ...isOn }) {
    const classes = selectClasses(isOn, ambiguous);
    const sizes = classes.map((characters) => characters.length);
    const strength = rateStrength(computeEntropy(sizes, length));
    const generate = () => generatePassword(classes, length);
    if (count === undefined) return { password: generate(), strength };
    return { passwords: Array.from({ length: count }, generate), strength };
  },
});

/** @throws {InputError} if all classes are off. */
function selectClasses(
  isOn: Readonly<Record<typeof CLASS_NAMES[number], boolean>>,
  allowsLookAlikes: boolean,
): string[] {
  const classes = CLASS_NAMES.filter((name) => isOn[name])
    .map((name) => CHARACTER_CLASSES[name]);
  if (classes.length === 0) {
    throw new InputError(CLASS_NAMES, "must be true, got false for all");
  }
  return allowsLookAlikes ? classes : classes.map(removeLookAlikes);
}
