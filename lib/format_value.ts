/**
 * Formats values that clients sent, for error messages.
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
 * Describes an invalid value for an error message: a string in double quotes, shortened
 * to 40 code points; a number or boolean by its value; an array or object by its type;
 * `undefined` as `nothing`. Invisible characters are escaped as in JSON; a string of a single
 * invisible character or space is named by its code point.
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
 * Describes a number. Beyond the integers that a double represents exactly, the number may
 * have been rounded, so the text only says that it is above or below that range.
 */
function describeNumber(value: number): string {
  const limit = Number.MAX_SAFE_INTEGER;
  if (value > limit) return `a number above ${limit}`;
  if (value < -limit) return `a number below -${limit}`;
  return String(value);
}

/** Returns the code point of a single invisible character or space, such as `U+202E`. */
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
  // Of a long text, only the beginning is divided into code points. It is long enough,
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
