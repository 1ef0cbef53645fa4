/** Reads and checks the members of a JSON object. */

import { HttpError } from "./http_error.ts";
import { formatValue } from "../format_value.ts";

/**
 * The members of a JSON object, whose values are not checked yet. The type parameter
 * `Name` limits the names that can be read.
 */
export type Fields<Name extends string = string> = Readonly<
  Record<Name, unknown>
>;

/** Whether a value of a JSON text is an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads a required string field.
 *
 * @throws {HttpError} 400 if the field is missing or not a string.
 */
export function readString<Name extends string>(
  fields: Fields<Name>,
  name: NoInfer<Name>,
): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  throw new HttpError(
    400,
    `"${name}" must be a string, got ${formatValue(value)}`,
  );
}

/**
 * Reads a required string field that UTF-8 can encode.
 *
 * @throws {HttpError} 400 if the field is missing, is not a string, or has a lone
 * surrogate, which UTF-8 cannot encode (RFC 3629, section 3).
 */
export function readUtf8<Name extends string>(
  fields: Fields<Name>,
  name: NoInfer<Name>,
): string {
  const value = readString(fields, name);
  if (value.isWellFormed()) return value;
  const offset = findLoneSurrogate(value);
  throw new HttpError(
    400,
    `"${name}" must be text that UTF-8 can encode, got the lone surrogate ${
      formatValue(value[offset])
    } at offset ${offset}`,
  );
}

/**
 * Length of the parts in which `findLoneSurrogate()` searches a text, in UTF-16 code units.
 */
const PART_LENGTH = 16 * 1024;

/** Returns the offset of the first lone surrogate, in UTF-16 code units. The text must have one. */
function findLoneSurrogate(text: string): number {
  for (let start = 0;;) {
    let end = start + PART_LENGTH;
    // A part must not end between the two halves of a surrogate pair.
    if (text.codePointAt(end - 1)! > 0xffff) end += 1;
    const part = text.slice(start, end);
    // `search()` is slow: only the part that has the lone surrogate is searched.
    if (!part.isWellFormed()) return start + part.search(/\p{Surrogate}/u);
    start = end;
  }
}

/**
 * Reads a field whose value must be one of `choices`, which has at least two entries. If
 * the field is missing, returns `fallback`, if that is given.
 *
 * @throws {HttpError} 400 with a list of the choices, for any other value.
 */
export function readChoice<
  Name extends string,
  Choice extends string | number,
>(
  fields: Fields<Name>,
  name: NoInfer<Name>,
  options: { choices: readonly Choice[]; fallback?: Choice },
): Choice {
  const { choices, fallback } = options;
  const value = fields[name];
  if (value === undefined && fallback !== undefined) return fallback;
  const choice = choices.find((choice) => choice === value);
  if (choice !== undefined) return choice;
  throw new HttpError(
    400,
    `"${name}" must be ${listChoices(choices)}, got ${formatValue(value)}`,
  );
}

function listChoices(choices: readonly (string | number)[]): string {
  const words = choices.map((choice) => JSON.stringify(choice));
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
