/**
 * `GET /api/password`: a random password, and its strength by the number of possible
 * passwords.
 *
 * ```
 * /api/password?length=20&symbols=false
 *   →  {"password": "q8LzWm4tYd0RkXvB2nHc", "strength": "very-strong"}
 * ```
 *
 * @module
 */

import { HttpError } from "../lib/http/http_error.ts";
import { readBoolean, readInteger } from "../lib/http/query.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
  removeLookAlikes,
} from "../lib/password.ts";
import type { Context } from "../lib/http/router.ts";

/** Smallest `length`, in characters, inclusive. */
export const MIN_LENGTH = 1;

/** Largest `length`, in characters, inclusive. */
export const MAX_LENGTH = 128;

/** Default of `length`, in characters. */
export const DEFAULT_LENGTH = 16;

/** Answers with a password of all enabled character classes, and its strength. */
export function password(_request: Request, context: Context): object {
  const query = new URLSearchParams(context.query);
  const length = readInteger(query, "length", {
    min: MIN_LENGTH,
    max: MAX_LENGTH,
  }) ?? DEFAULT_LENGTH;
  const enabled = Object.entries(CHARACTER_CLASSES)
    .filter(([name]) => readBoolean(query, name, true))
    .map(([_name, characters]) => characters);
  if (enabled.length === 0) {
    throw new HttpError(
      400,
      'one of "uppercase", "lowercase", "numbers" and "symbols" must be true, got false for all',
    );
  }
  const classes = readBoolean(query, "ambiguous", true)
    ? enabled
    : enabled.map(removeLookAlikes);
  const bits = computeEntropy(classes.map(({ length }) => length), length);
  return {
    password: generatePassword(classes, length),
    strength: rateStrength(bits),
  };
}
