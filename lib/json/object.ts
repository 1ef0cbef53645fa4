/** Objects of JSON texts. */

/** The members of a JSON object, with values of unknown types. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of a JSON text is an object, and neither an array nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
