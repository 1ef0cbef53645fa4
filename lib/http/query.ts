/** Parses queries, and reads and checks their parameters. */

import { HttpError } from "./http_error.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../scalars.ts";
import { formatValue } from "../format_value.ts";

/**
 * The parameters of a query. They are in a list, not in a hash map: a client could choose
 * names with equal hashes, and to build a map of those takes a second for a query of 60 KB.
 */
interface Query {
  /** Returns all values of a parameter, in the order of the query. */
  getAll(name: string): readonly string[];
}

const NO_VALUES: readonly string[] = [];
const EMPTY_QUERY: Query = { getAll: () => NO_VALUES };

/** Parses a query as `application/x-www-form-urlencoded` (URL standard, section 5.1). */
export function parseQuery(query: string): Query {
  return query === "" ? EMPTY_QUERY : new URLSearchParams(query);
}

/**
 * Reads an optional query parameter that is an integer in decimal digits without leading
 * zeros. Returns `undefined` if the parameter is absent.
 *
 * @throws {HttpError} 400 for any other text, an integer out of bounds, or a parameter
 * that is given more than once.
 */
export function readInteger(
  query: Query,
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
  query: Query,
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
  query: Query,
  name: string,
): string | undefined {
  const values = query.getAll(name);
  if (values.length <= 1) return values[0];
  throw new HttpError(
    400,
    `"${name}" must be given at most once, got it ${values.length} times`,
  );
}
