/**
 * Reads and checks the parameters of a query. They stay in a list: a client could choose
 * names with equal hashes, and to build a map of those takes a second for a query of 60 KB.
 */

import { HttpError } from "./http_error.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../scalars.ts";
import { formatValue } from "../format_value.ts";

/**
 * Reads an optional query parameter that is an integer in decimal digits without leading
 * zeros. Returns `undefined` if the parameter is absent.
 *
 * @throws {HttpError} 400 for any other text, an integer out of bounds, or a parameter
 * that is given more than once.
 */
export function readInteger(
  query: URLSearchParams,
  name: string,
  bounds: IntegerBounds,
): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  const value = parseInteger(text, bounds);
  if (value !== undefined) return value;
  throw new HttpError(
    400,
    `"${name}" must be an integer from ${bounds.min} to ${bounds.max}, got ${
      formatValue(text)
    }`,
  );
}

/**
 * Reads an optional boolean query parameter (`true`, `1`, `yes`, `on`, `false`, `0`, `no`
 * or `off` in any case). Returns `fallback` if the parameter is absent.
 *
 * @throws {HttpError} 400 for any other text, or a parameter that is given more than
 * once.
 */
export function readBoolean(
  query: URLSearchParams,
  name: string,
  fallback: boolean,
): boolean {
  const text = readParameter(query, name);
  if (text === undefined) return fallback;
  const value = parseBoolean(text);
  if (value !== undefined) return value;
  throw new HttpError(
    400,
    `"${name}" must be "true" or "false", got ${formatValue(text)}`,
  );
}

/**
 * Returns the value of an optional parameter; `undefined` if the parameter is absent.
 *
 * @throws {HttpError} 400 if the parameter is given more than once.
 */
export function readParameter(
  query: URLSearchParams,
  name: string,
): string | undefined {
  const values = query.getAll(name);
  if (values.length <= 1) return values[0];
  throw new HttpError(
    400,
    `"${name}" must be given at most once, got it ${values.length} times`,
  );
}
