/** Reads request bodies that are JSON objects. */

import { isUtf8 } from "node:buffer";
import { formatValue } from "../values/format_value.ts";
import { HttpError } from "./http_error.ts";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import { type Fields, isObject } from "../operation/operation.ts";

/**
 * Reads the members of the JSON object in a request's body, whatever the `Content-Type` of
 * the request is. Arrays and nested objects may be returned without their contents, since
 * no operation takes them.
 *
 * @param names Names of the members to read, in ASCII. In the result, members with other
 * names may be missing or `undefined`.
 * @throws {HttpError} 400 if the body is empty, not UTF-8, not JSON (with line and column)
 * or not an object.
 */
export function readBody(body: Uint8Array, names: readonly string[]): Fields {
  if (body.length === 0) {
    throw new HttpError(400, "the body must be a JSON object, got nothing");
  }
  if (!isUtf8(body)) throw new HttpError(400, "the body must be UTF-8");
  const value = readJson(body, names);
  if (isObject(value)) return value;
  throw new HttpError(
    400,
    `the body must be a JSON object, got ${formatValue(value)}`,
  );
}

function readJson(body: Uint8Array, names: readonly string[]): unknown {
  try {
    return readMembers(body, names);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new HttpError(400, `the body must be JSON: ${error.message}`);
  }
}
