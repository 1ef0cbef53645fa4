/** Operations as endpoints: `GET` with a query, or `POST` with a JSON object. */

import { isUtf8 } from "node:buffer";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import { InputError } from "../operation/input_error.ts";
import { noYield } from "../operation/context.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import { type Fields, isObject } from "../json/object.ts";
import { formatResult } from "../operation/result.ts";
import { formatValue } from "../format_value.ts";
import { HttpError } from "./response.ts";
import { getMaxResultBytes } from "./result_limit.ts";
import type { Handler, Route } from "./router.ts";

/** Creates the route of an operation, whose path is `/api/` and the operation's name. */
export function createRoute(operation: Operation): Route {
  const { method, name } = operation;
  const pattern = new URLPattern({ pathname: `/api/${name}` });
  const handler = method === "GET"
    ? createQueryHandler(operation)
    : createBodyHandler(operation);
  return { method, pattern, handler };
}

function createQueryHandler(operation: Operation): Handler {
  return function handle({ query }) {
    const context = { yieldControl: noYield, getMaxResultBytes };
    return formatLine(operation.run(createQueryReader(query), context));
  };
}

function createBodyHandler(operation: Operation): Handler {
  const names = Object.keys(operation.parameters);
  return function handle({ body, yieldControl }) {
    const fields = readFields(body, names);
    const read: ReadValue = (name, parameter) =>
      parameter.fromJson(name, fields[name]);
    const context = { yieldControl, getMaxResultBytes };
    return formatLine(operation.run(read, context));
  };
}

/** Formats a result as a line. To save time, returns a promise only if it gets one. */
function formatLine(
  result: Fields | Promise<Fields>,
): string | Promise<string> {
  return result instanceof Promise
    ? result.then(formatLine)
    : `${formatResult(result)}\n`;
}

/**
 * Returns a function that reads a parameter from a query. The function throws an
 * `InputError` for a missing or invalid value, and for a parameter given more than once.
 */
function createQueryReader(query: string): ReadValue {
  // Not a `Map`: to build one takes 100 ms and more for a query of 60 KB whose names
  // collide, and a client can choose such names. `URLSearchParams` searches a list.
  const given = new URLSearchParams(query);
  return (name, parameter) => {
    const texts = given.getAll(name);
    if (texts.length > 1) {
      const rule = `must be given at most once, got it ${texts.length} times`;
      throw new InputError(name, rule);
    }
    return parameter.fromText(name, texts[0]);
  };
}

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
function readFields(body: Uint8Array, names: readonly string[]): Fields {
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
