/** Readers for what a client sends: the fields of a JSON body, the parameters of a query. */

import { readBody } from "../load/body.ts";
import type { Work } from "../work.ts";
import { parseJson } from "../json/parse.ts";
import type { Context } from "./router.ts";
import { describe } from "../quote.ts";
import { HttpError } from "../http_error.ts";
import { JsonTextError } from "../json/error.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../parse.ts";

/** The values of each query parameter, in the order in which they came. */
export type Query = ReadonlyMap<string, readonly string[]>;

const EMPTY_QUERY: Query = new Map();

/** The members of a JSON object as they came. */
export type Fields = Readonly<Record<string, unknown>>;

// A dropped BOM would be a changed text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", {
  ignoreBOM: true,
  fatal: true,
});

/**
 * Reads a request's body as a JSON object, whatever its `Content-Type`, or
 * returns the fields that the context has of it already.
 *
 * @throws {HttpError} 415 for a body that is compressed or otherwise encoded, 400
 * for one that is not UTF-8, not JSON (with line and column) or not an object,
 * and what the body reader throws.
 */
export function readJsonObject(
  request: Request,
  context: Context,
): Promise<Fields> {
  if (context.fields !== undefined) return Promise.resolve(context.fields);
  checkContentCoding(request);
  return readBody(context, parseJsonObject);
}

/**
 * Checks that a request's body has no content coding. Names of codings are compared
 * without regard to case (RFC 9110, section 8.4.1).
 *
 * @throws {HttpError} 415 naming the codings (RFC 9110, section 15.5.16).
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

function* parseJsonObject(body: Uint8Array): Work<Fields> {
  const text = decodeUtf8(body, "the body must be UTF-8");
  if (text === "") {
    throw new HttpError(400, "the body must be a JSON object, got nothing");
  }
  const value = yield* parseFields(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(
      400,
      `the body must be a JSON object, got ${describe(value)}`,
    );
  }
  return value as Fields;
}

/** Parses the members of an object, but nothing that they nest. */
function* parseFields(text: string): Work<unknown> {
  try {
    return yield* parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new HttpError(400, `the body must be JSON: ${error.message}`);
  }
}

/**
 * Decodes UTF-8 without losing a byte: a leading BOM is kept.
 *
 * @throws {HttpError} 400 with the given message where the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array, message: string): string {
  const text = utf8Decoder.decode(bytes);
  // Only a text with a replacement character can have lost something. To decode
  // each strictly would take five times as long.
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
 * @throws {HttpError} 400 where it is missing or no string.
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
 * @throws {HttpError} 400 where it is missing, no string, or has a lone
 * surrogate, which has no UTF-8 form (RFC 3629, section 3).
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
 * Reads a field that must be one of a few values; a missing one reads as the
 * fallback where there is one.
 *
 * @throws {HttpError} 400 listing the choices.
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

/** Parses a query, as the URL standard does. */
export function parseQuery(query: string): Query {
  if (query === "") return EMPTY_QUERY;
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/**
 * Reads an optional query parameter of decimal digits only, `undefined` where
 * it is absent.
 *
 * @throws {HttpError} 400 where it is anything else, out of bounds, or given
 * more than once.
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
 * `0`, `no` or `off` in any case), the fallback where it is absent.
 *
 * @throws {HttpError} 400 where it is anything else or given more than once.
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
