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
import { runAtOnce } from "../work.ts";
import type { Fields } from "./fields.ts";
import type { Context } from "./router.ts";
import { decodeUtf8 } from "./utf8.ts";

const NOT_UTF8_MESSAGE = "the body must be UTF-8";

/**
 * Reads the fields of a request: the members of the JSON object in its body, whatever its
 * `Content-Type` is, or the input of a tool call or a command.
 *
 * @param names Names of the members to read, in ASCII. Others may be left out.
 * @throws {HttpError} 400 if the body is not UTF-8, not JSON (with line and column) or not
 * an object.
 */
export function readFields<Name extends string>(
  { fields, body }: Context,
  names: readonly Name[],
): Fields<Name> {
  return fields ?? parseJsonObject(body, names);
}

/**
 * Parses a body as a JSON object: by `JSON.parse()` if that is certain to be fast (see
 * `mayCollide()` and `decodeSimpleJson()`).
 */
function parseJsonObject(body: Uint8Array, names: readonly string[]): Fields {
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

function parseLargeObject(
  body: Uint8Array,
  names: readonly string[],
): Fields {
  if (!runAtOnce(isUtf8(body))) throw new HttpError(400, NOT_UTF8_MESSAGE);
  try {
    return checkObject(runAtOnce(parseSelected(body, { names })).value);
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
