/**
 * This module formats values that clients sent, for error messages.
 *
 * @module
 */

/** Longest excerpt of a client's value in an error message, in code points. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Characters that are invisible or that reorder the text around them: control characters,
 * format characters, unassigned and ignorable code points, the empty Braille pattern, and
 * white space except the ASCII space.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Describes an invalid value for an error message. A string is quoted, shortened to 40 code
 * points, with invisible characters escaped; a string of one invisible character or space
 * is named by its code point. An array or object is described by its type, `undefined` as
 * `nothing`, and any other value by its text.
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
 * Describes a number. Beyond ±(2⁵³ − 1) a number may have been rounded when it was parsed,
 * so the text only says that it is above or below that bound.
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
  if (text !== " " && text.search(INVISIBLE) === -1) return undefined;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Quotes a string as JSON does, shortened to 40 code points. */
function quote(text: string): string {
  return JSON.stringify(shorten(text)).replaceAll(INVISIBLE, escape);
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return text;
  // Only the beginning of a long text is divided into code points. It has enough of them,
  // since a code point has at most two UTF-16 code units.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return text;
  return characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("") + "…";
}

/** Escapes each UTF-16 code unit of a character. */
function escape(character: string): string {
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}
