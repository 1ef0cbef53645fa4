/** Maximum length of a string in a message, in code points, before escaping. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * Characters that can be invisible or reorder text: control, format, private-use, unassigned,
 * and ignorable characters, surrogates, whitespace except spaces, and the blank Braille pattern.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Describes an invalid value for an error message, such as `"a"`, `nothing`, or `an object`. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return nameInvisible(value) ?? quote(value);
  if (typeof value === "number") return formatNumber(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** Doesn't show a number beyond the limit, because the parser might have rounded it. */
function formatNumber(value: number): string {
  const limit = Number.MAX_SAFE_INTEGER;
  if (value > limit) return `a number above ${limit}`;
  if (value < -limit) return `a number below -${limit}`;
  return String(value);
}

/** Returns the code point, such as `U+202E`, if the string is one invisible character or space. */
function nameInvisible(string: string): string | undefined {
  const [character, ...otherCharacters] = string.slice(0, 3);
  if (character === undefined || otherCharacters.length > 0) return undefined;
  if (character !== " " && escapeInvisible(character) === character) {
    return undefined;
  }
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}

/** Formats alternatives, such as `"a", "b" or "c"`. */
export function formatAlternatives(items: readonly string[]): string {
  const start = items.slice(0, -1).join(", ");
  return `${start}${start === "" ? "" : " or "}${items.at(-1)}`;
}

/** Formats a string as JSON, truncated to 40 code points, with invisible characters escaped. */
export function quote(string: string): string {
  return escapeInvisible(JSON.stringify(shorten(string)));
}

export function escapeInvisible(string: string): string {
  return string.replaceAll(
    INVISIBLE,
    (character) =>
      character.split("").map((unit) =>
        `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      ).join(""),
  );
}

function shorten(string: string): string {
  // 82 UTF-16 code units contain at least 41 code points, one more than the limit.
  const characters = [...string.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2)];
  if (characters.length <= MAX_QUOTED_CHARACTERS) return string;
  return characters.slice(0, MAX_QUOTED_CHARACTERS - 1).join("") + "…";
}

export function quoteForShell(string: string): string {
  return `'${string.replaceAll("'", `'\\''`)}'`;
}
