/**
 * `GET /api/password`: a random password, and its strength, which is computed from the
 * number of possible passwords.
 *
 * @module
 */

import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { boolean, integer } from "../lib/operation/parameters.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
  removeLookAlikes,
} from "../lib/password.ts";

const MAX_LENGTH = 128;

const CLASS_NAMES = ["uppercase", "lowercase", "numbers", "symbols"] as const;

export default defineOperation({
  method: "GET",
  name: "password",
  summary: "Generate a password",
  description:
    "The password has at least one character of every enabled class, unless `length` is below the number of classes. All such passwords are equally likely. `strength` is computed from their number. Booleans may also be `1`, `yes`, `on`, `0`, `no` or `off`, in any case.",
  tool: {
    name: "generatePassword",
    description:
      "Generate one random password; call it again for more. Use it whenever a new password or secret is needed: never make one up, since what you write can be guessed. Each class that is on appears at least once if `length` allows. For a PIN turn all classes but `numbers` off. No hexadecimal keys, no passphrases.",
  },
  parameters: {
    length: integer({
      min: 1,
      max: MAX_LENGTH,
      default: 16,
      description: "Length in characters.",
    }),
    uppercase: boolean({ default: true, description: "Draw from A to Z." }),
    lowercase: boolean({ default: true, description: "Draw from a to z." }),
    numbers: boolean({ default: true, description: "Draw from 0 to 9." }),
    symbols: boolean({
      default: true,
      description: `Draw from \`\`${CHARACTER_CLASSES.symbols}\`\`.`,
    }),
    ambiguous: boolean({
      default: true,
      description: "Allow the look-alikes `0O1Il5S`.",
    }),
  },
  results: {
    PasswordResponse: {
      password: { type: "string", minLength: 1, maxLength: MAX_LENGTH },
      strength: {
        type: "string",
        enum: ["very-weak", "weak", "fair", "strong", "very-strong"],
        description:
          "By the entropy in bits: below 28, below 40, below 75, below 100, or more.",
      },
    },
  },
  examples: {
    standard: {
      sent: {},
      result: { password: "t;9Xq>Wm4[eRb~2K", strength: "very-strong" },
    },
    easyToRead: {
      sent: { length: 20, symbols: false, ambiguous: false },
      result: { password: "q8LzWm4tYd2RkXvB9nHc", strength: "very-strong" },
    },
  },
  errors: {
    tooShort: {
      sent: { length: 0 },
      message: '"length" must be an integer from 1 to 128, got 0',
    },
    noClass: {
      sent: {
        uppercase: false,
        lowercase: false,
        numbers: false,
        symbols: false,
      },
      message:
        'one of "uppercase", "lowercase", "numbers" and "symbols" must be true, got false for all',
    },
  },

  run({ length, ambiguous: allowsLookAlikes, ...classIsOn }) {
    const classes = CLASS_NAMES.filter((name) => classIsOn[name])
      .map((name) => {
        const characters = CHARACTER_CLASSES[name];
        return allowsLookAlikes ? characters : removeLookAlikes(characters);
      });
    if (classes.length === 0) {
      throw new InputError(CLASS_NAMES, "must be true, got false for all");
    }
    const sizes = classes.map((characters) => characters.length);
    return {
      password: generatePassword(classes, length),
      strength: rateStrength(computeEntropy(sizes, length)),
    };
  },
});
