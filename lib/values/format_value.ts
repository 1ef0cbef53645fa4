/**
 * Formats invalid values, such as those that clients sent, for error messages.
 *
 * @module
 */

/** Longest string in an error message, in code points, before characters are escaped. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Characters that may be invisible or may reorder the text around them: control characters,
 * format characters, lone surrogates, private-use, unassigned and ignorable code points,
 * the empty Braille pattern, and white space except the ASCII space.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

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
  if (text !== " " && text.search(INVISIBLE) === -1) return undefined;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Writes a string as JSON, shortened to 40 code points, with invisible characters escaped.
 */
function quote(text: string): string {
  return escapeInvisible(JSON.stringify(shorten(text)));
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return text;
  // Divides only the first 82 UTF-16 code units into code points. 82 code units have at
  // least 41 code points, one more than the limit.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return text;
  return characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("") + "…";
}

/** Escapes the invisible characters of a text, such as line feeds. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, escape);
}

/** Escapes each UTF-16 code unit of a character as `\u` with four hexadecimal digits. */
function escape(character: string): string {
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}
