/** Reads and checks the fields of a JSON body and the parameters of a query. */

import { readBody } from "./body.ts";
import type { Work } from "../work.ts";
import {
  isShort,
  parseLargeJson,
  parseShortJson,
  Source,
} from "../json/parse.ts";
import type { Context } from "./router.ts";
import { describe } from "../quote.ts";
import { HttpError } from "../http_error.ts";
import { JsonTextError } from "../json/error.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../parse.ts";

/** The values of each query parameter, in the order of the query. */
type Query = ReadonlyMap<string, readonly string[]>;

const EMPTY_QUERY: Query = new Map();

/** The members of a parsed JSON object, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", {
  ignoreBOM: true,
  fatal: true,
});

/**
 * Reads a request's body as a JSON object, with any `Content-Type`. If the context
 * already has the fields, they are returned and the body is not read.
 *
 * @throws {HttpError} 415 for a body with a content coding, 400 if the body is not UTF-8, not JSON (with line and column)
 * or not an object; and the errors of `readBody()`.
 */
export function readJsonObject(context: Context): Promise<Fields> {
  if (context.fields !== undefined) return Promise.resolve(context.fields);
  checkContentCoding(context.request);
  return readBody(context, parseJsonObject);
}

/**
 * Checks that a request's body has no content coding other than `identity`. Names of
 * codings are compared without regard to case (RFC 9110, section 8.4.1).
 *
 * @throws {HttpError} 415 that names the codings (RFC 9110, section 15.5.16).
 */
export function checkContentCoding({ headers }: Request): void {
  const header = headers.get("content-encoding");
  if (header === null) return;
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  if (codings.every((name) => name === "" || name === "identity")) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      describe(header)
    }`,
    // RFC 9110, section 12.5.3.
    { "accept-encoding": "identity" },
  );
}

/** Parses a short body at once, since steps take time, and a longer one in steps. */
function parseJsonObject(body: Uint8Array): Fields | Work<Fields> {
  if (!isShort(body)) return parseLargeObject(body);
  const text = decodeBody(body);
  if (text === "") {
    throw new HttpError(400, "the body must be a JSON object, got nothing");
  }
  try {
    return checkObject(parseShortJson(text));
  } catch (error) {
    throw toHttpError(error);
  }
}

function* parseLargeObject(body: Uint8Array): Work<Fields> {
  using source = new Source(decodeBody(body), body);
  try {
    return checkObject((yield* parseLargeJson(source)).value);
  } catch (error) {
    throw toHttpError(error);
  }
}

function decodeBody(body: Uint8Array): string {
  return decodeUtf8(body, "the body must be UTF-8");
}

function checkObject(value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Fields;
  }
  throw new HttpError(
    400,
    `the body must be a JSON object, got ${describe(value)}`,
  );
}

/** Turns an error of the parsing of a body into 400; another error is returned as it is. */
function toHttpError(error: unknown): unknown {
  return error instanceof JsonTextError
    ? new HttpError(400, `the body must be JSON: ${error.message}`)
    : error;
}

/**
 * Decodes UTF-8. A leading byte order mark is kept.
 *
 * @throws {HttpError} 400 with the given message if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array, message: string): string {
  const text = utf8Decoder.decode(bytes);
  // Invalid bytes decode as U+FFFD. Only a text that has one is decoded again,
  // strictly, because strict decoding takes five times as long.
  if (!text.includes("\ufffd")) return text;
  try {
    return strictUtf8Decoder.decode(bytes);
  } catch {
    throw new HttpError(400, message);
  }
}

/**
 * Reads a required string field.
 *
 * @throws {HttpError} 400 if it is missing or not a string.
 */
export function readString(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  throw new HttpError(
    400,
    `"${name}" must be a string, got ${describe(value)}`,
  );
}

/**
 * Reads a required string field that has a UTF-8 form.
 *
 * @throws {HttpError} 400 if it is missing, not a string, or has a lone surrogate,
 * which has no UTF-8 form (RFC 3629, section 3).
 */
export function readUtf8(fields: Fields, name: string): string {
  const value = readString(fields, name);
  if (value.isWellFormed()) return value;
  const offset = value.search(/\p{Surrogate}/u);
  throw new HttpError(
    400,
    `"${name}" must be text that UTF-8 can encode, got the lone surrogate ${
      describe(value[offset])
    } at offset ${offset}`,
  );
}

/**
 * Reads a field that must be one of at least two values. A missing field has the
 * value of `fallback`, if that is given.
 *
 * @throws {HttpError} 400 that lists the choices, for any other value.
 */
export function readChoice<Choice extends string | number>(
  fields: Fields,
  name: string,
  options: { choices: readonly Choice[]; fallback?: Choice },
): Choice {
  const { choices, fallback } = options;
  const value = fields[name];
  if (value === undefined && fallback !== undefined) return fallback;
  const choice = choices.find((choice) => choice === value);
  if (choice !== undefined) return choice;
  throw new HttpError(
    400,
    `"${name}" must be ${listChoices(choices)}, got ${describe(value)}`,
  );
}

function listChoices(choices: readonly (string | number)[]): string {
  const words = choices.map((choice) => JSON.stringify(choice));
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Parses a query as `application/x-www-form-urlencoded` (URL standard, section 5.1). */
export function parseQuery(query: string): Query {
  if (query === "") return EMPTY_QUERY;
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/**
 * Reads an optional query parameter that is an integer in decimal digits without
 * leading zeros. Returns `undefined` if it is absent.
 *
 * @throws {HttpError} 400 for any other text, an integer out of bounds, or a
 * parameter that is given more than once.
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
      describe(text)
    }`,
  );
}

/**
 * Reads an optional boolean query parameter (`true`, `1`, `yes`, `on`, `false`,
 * `0`, `no` or `off` in any case). Returns the fallback if it is absent.
 *
 * @throws {HttpError} 400 for any other text, or a parameter that is given more
 * than once.
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
    `"${name}" must be "true" or "false", got ${describe(text)}`,
  );
}

function readParameter(
  query: Query,
  name: string,
): string | undefined {
  const values = query.get(name);
  if (values === undefined || values.length === 1) return values?.[0];
  throw new HttpError(
    400,
    `"${name}" must be given at most once, got it ${values.length} times`,
  );
}
