/**
 * Formats invalid values, such as those that clients sent, for error messages.
 *
 * @module
 */

import { hasInvisible, quote } from "./quote.ts";

/**
 * Describes an invalid value for an error message. A string is quoted, shortened to 40 code
 * points, with invisible characters escaped; a string of one invisible character or space
 * is named by its code point. An array is described as `an array`, any other object as
 * `an object`, and `undefined` as `nothing`. Of a number beyond ±(2⁵³ − 1), the description
 * only says that it is above or below this bound. Any other value is converted by
 * `String()`.
 */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return nameInvisible(value) ?? quote(value);
  if (typeof value === "number") return describeNumber(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/**
 * Converts a number by `String()`. A number beyond ±(2⁵³ − 1) may have been rounded when it
 * was parsed, so the returned text only says that the number is above or below this bound.
 */
function describeNumber(value: number): string {
  const limit = Number.MAX_SAFE_INTEGER;
  if (value > limit) return `a number above ${limit}`;
  if (value < -limit) return `a number below -${limit}`;
  return String(value);
}

/**
 * Returns the code point of a string of one invisible character or space, such as `U+202E`;
 * `undefined` for any other string.
 */
function nameInvisible(text: string): string | undefined {
  const codePoint = text.codePointAt(0);
  if (codePoint === undefined || text !== String.fromCodePoint(codePoint)) {
    return undefined;
  }
  if (text !== " " && !hasInvisible(text)) return undefined;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
