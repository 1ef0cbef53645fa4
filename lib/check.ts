/** Checks arguments at run time, for callers without a type checker. */

import { formatValue } from "./format_value.ts";

export function checkType(
  name: string,
  value: unknown,
  type: "string" | "number" | "boolean" | "function",
): void {
  const actualType = typeof value;
  if (actualType !== type) throw createTypeError(name, `a ${type}`, value);
}

export function checkOptions(value: unknown): void {
  if (typeof value !== "object" || value === null) {
    throw createTypeError("options", "an object", value);
  }
}

/** @throws {RangeError} if the value is not a safe integer from `min` to `max`. */
export function checkInteger(
  name: string,
  value: number,
  { min, max = Infinity }: { readonly min: number; readonly max?: number },
): void {
  checkType(name, value, "number");
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const bounds = max === Infinity
    ? `of at least ${min}`
    : `from ${min} to ${max}`;
  throw new RangeError(`${name} must be an integer ${bounds}, got ${value}`);
}

export function checkArray(
  name: string,
  value: unknown,
  type: "string" | "number",
): void {
  if (!Array.isArray(value) || value.some((item) => typeof item !== type)) {
    throw createTypeError(name, `an array of ${type}s`, value);
  }
}

/** Creates an error such as `data must be a string, got 1`. */
export function createTypeError(
  name: string,
  expected: string,
  value: unknown,
): TypeError {
  const got = typeof value === "function" ? "a function" : formatValue(value);
  return new TypeError(`${name} must be ${expected}, got ${got}`);
}
