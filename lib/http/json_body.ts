/** Reads request bodies that are JSON objects. */

import { HttpError } from "../http_error.ts";
import { JsonTextError } from "../json/error.ts";
import {
  isShort,
  mayCollide,
  parseSelected,
  parseShortJson,
} from "../json/parse.ts";
import { decodeSimpleJson } from "../json/simple.ts";
import { isUtf8 } from "../json/utf8.ts";
import { formatValue } from "../format_value.ts";
import type { Work } from "../work.ts";
import { readBody } from "./body.ts";
import type { Fields } from "./fields.ts";
import type { Context } from "./router.ts";
import { decodeUtf8 } from "./utf8.ts";

const NOT_UTF8_MESSAGE = "the body must be UTF-8";

/**
 * Reads a request's body as a JSON object, whatever its `Content-Type` is, and passes the
 * object to `answer`. A tool call or a command has its input in `context.fields`, which is
 * passed instead.
 *
 * @param names Names of the members that `answer` needs, in ASCII. Other members may be
 * left out.
 * @param answer Creates the response.
 *
 * @throws {HttpError} 415 for a body with a content coding (a compressed body), 400 if the
 * body is not UTF-8, not JSON (with line and column) or not an object; and the errors of
 * `readBody()` and `answer`.
 */
export function readJsonObject<Name extends string>(
  context: Context,
  names: readonly Name[],
  answer: (fields: Fields<Name>, context: Context) => Promise<Response>,
): Promise<Response> {
  if (context.fields !== undefined) return answer(context.fields, context);
  checkContentCoding(context.request);
  return readBody(context, {
    parse: (body) => parseJsonObject(body, names),
    use: (fields) => answer(fields, context),
  });
}

/**
 * Checks that a request's body is not compressed: `Content-Encoding` must be absent or
 * `identity`. Upper and lower case are the same in names of codings (RFC 9110, section
 * 8.4.1).
 *
 * @throws {HttpError} 415 with the accepted coding in `Accept-Encoding` (RFC 9110, section
 * 15.5.16).
 */
export function checkContentCoding({ headers }: Request): void {
  const header = headers.get("content-encoding");
  if (header === null) return;
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  if (codings.every((name) => name === "" || name === "identity")) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      formatValue(header)
    }`,
    // Tells the client which content coding is accepted (RFC 9110, section 12.5.3).
    { "accept-encoding": "identity" },
  );
}

/**
 * Parses a body as a JSON object: by `JSON.parse()` if that is certain to be fast (see
 * `mayCollide()` and `decodeSimpleJson()`). For any other body, returns a generator that
 * parses in steps, between which other requests can be answered.
 */
function parseJsonObject(
  body: Uint8Array,
  names: readonly string[],
): Fields | Work<Fields> {
  if (!isShort(body)) {
    const text = decodeSimpleJson(body);
    return text === undefined
      ? parseLargeObject(body, names)
      : parseAtOnce(text);
  }
  const text = decodeUtf8(body, NOT_UTF8_MESSAGE);
  if (text === "") {
    throw new HttpError(400, "the body must be a JSON object, got nothing");
  }
  return mayCollide(text) ? parseLargeObject(body, names) : parseAtOnce(text);
}

function parseAtOnce(text: string): Fields {
  try {
    return checkObject(parseShortJson(text));
  } catch (error) {
    throw toHttpError(error);
  }
}

function* parseLargeObject(
  body: Uint8Array,
  names: readonly string[],
): Work<Fields> {
  if (!(yield* isUtf8(body))) throw new HttpError(400, NOT_UTF8_MESSAGE);
  try {
    return checkObject((yield* parseSelected(body, { names })).value);
  } catch (error) {
    throw toHttpError(error);
  }
}

function checkObject(value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Fields;
  }
  throw new HttpError(
    400,
    `the body must be a JSON object, got ${formatValue(value)}`,
  );
}

/** Converts a `JsonTextError` into an `HttpError` 400; returns any other error unchanged. */
function toHttpError(error: unknown): unknown {
  return error instanceof JsonTextError
    ? new HttpError(400, `the body must be JSON: ${error.message}`)
    : error;
}
