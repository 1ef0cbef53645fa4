export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, as opposed to an array or `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
