/**
 * Quotes strings of clients and of addresses in messages, and for shells.
 *
 * @module
 */

/** Longest string in a message, in code points, before characters are escaped. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Characters that may be invisible or may reorder the text around them: control characters,
 * format characters, lone surrogates, private-use, unassigned and ignorable code points,
 * the empty Braille pattern, and white space except the ASCII space.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Writes a string as JSON, shortened to 40 code points, with invisible characters escaped. */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(shorten(text)));
}

/** Escapes the invisible characters of a text, such as line feeds. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, escape);
}

/** Whether a text has a character that may be invisible. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) !== -1;
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return text;
  // Divides only the first 82 UTF-16 code units into code points. 82 code units have at
  // least 41 code points, one more than the limit.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return text;
  return characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("") + "…";
}

/** Escapes each UTF-16 code unit of a character as `\u` with four hexadecimal digits. */
function escape(character: string): string {
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}

/** Quotes a string for a POSIX shell. A single quote in the string becomes `'\''`. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
