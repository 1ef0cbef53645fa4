/** Values of a client, quoted for a message. */

/** Longest excerpt of a client's value in an error message, in code points. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Names a value that was refused, for the end of an error message: strings in
 * double quotes and shortened to 40 characters, numbers and booleans as they
 * are, anything larger by its type.
 */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** Quotes a string as JSON does, shortened to 40 characters. */
function quote(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS) return JSON.stringify(text);
  // Twice as many code units hold every code point that can be kept.
  const characters = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return JSON.stringify(text);
  const kept = characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("");
  return JSON.stringify(kept + "…");
}
