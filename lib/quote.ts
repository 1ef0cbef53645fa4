/** Values of a client, quoted for a message. */

/** Longest excerpt of a client's value in an error message, in code points. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * What nobody sees, or what moves the characters around it: controls, formats,
 * white space but the plain space, unassigned and ignorable code points, and
 * the empty Braille pattern.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Names a value that was refused, for the end of an error message: strings in
 * double quotes and shortened to 40 characters, numbers and booleans as they
 * are, anything larger by its type. Invisible characters are escaped as in JSON;
 * a string of one, or of a space, is named by its code point.
 */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return nameInvisible(value) ?? quote(value);
  if (typeof value === "number") return describeNumber(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** Names a number as it came; beyond the whole numbers of a double that is lost. */
function describeNumber(value: number): string {
  const limit = Number.MAX_SAFE_INTEGER;
  if (value > limit) return `a number above ${limit}`;
  if (value < -limit) return `a number below -${limit}`;
  return String(value);
}

/** The code point of a single character that is not seen, such as `U+202E`. */
function nameInvisible(text: string): string | undefined {
  const codePoint = text.codePointAt(0);
  if (codePoint === undefined || text !== String.fromCodePoint(codePoint)) {
    return undefined;
  }
  if (text !== " " && text.search(INVISIBLE) === -1) return undefined;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Quotes a string as JSON does, shortened to 40 characters. */
function quote(text: string): string {
  return JSON.stringify(shorten(text)).replaceAll(INVISIBLE, escape);
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return text;
  // Twice as many code units hold every code point that can be kept.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return text;
  return characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("") + "…";
}

/** Escapes each code unit of a character. */
function escape(character: string): string {
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}
