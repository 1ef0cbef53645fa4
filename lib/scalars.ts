/**
 * This module parses integers and booleans in query parameters and environment variables.
 *
 * @module
 */

/** Bounds of an integer, both inclusive. */
export interface IntegerBounds {
  readonly min: number;
  readonly max: number;
}

const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** Parses decimal digits without leading zeros, within bounds; `undefined` for any other text. */
export function parseInteger(
  text: string,
  { min, max }: IntegerBounds,
): number | undefined {
  if (!/^(?:0|[1-9]\d*)$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/**
 * Parses `true`, `1`, `yes`, `on`, `false`, `0`, `no` or `off` in any case;
 * `undefined` for any other text.
 */
export function parseBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}
