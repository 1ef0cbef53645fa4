/** Exposes operations as endpoints: `GET` with a query, or `POST` with a JSON object. */

import { isUtf8 } from "node:buffer";
import { JsonTextError } from "../json/error.ts";
import { type MemberOptions, readMembers } from "../json/read.ts";
import { InputError, UnsupportedError } from "../operation/input_error.ts";
import { noYield } from "../operation/context.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import { describeUnknownNames } from "../operation/unknown_names.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import { formatLine } from "../operation/result.ts";
import type { Bytes } from "../buffer.ts";
import { formatValue } from "../format_value.ts";
import { HttpError, type JsonText } from "./response.ts";
import { getMaxResultBytes } from "./result_limit.ts";
import type { Handler, Route } from "./router.ts";

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
    // Not converted to a `Map`, because names with colliding hashes would block the thread.
    const params = new URLSearchParams(query);
    const names = [...params.keys()];
    const read: ReadValue = (name, parameter) => {
      const values = params.getAll(name);
      if (values.length > 1) {
        const got = `got ${values.length} values`;
        throw new InputError(name, `must appear at most once, ${got}`);
      }
      return parameter.fromString(name, values[0]);
    };
    checkNames(operation, { noun: "parameter", names, read });
    const context = { yieldControl: noYield, getMaxResultBytes };
    return format(operation.run(read, context));
  };
}

function createBodyHandler(operation: Operation): Handler {
  const parameters = Object.entries(operation.parameters);
  const names = parameters.map(([name]) => name);
  const utf8Names = parameters.filter(([_name, it]) => it.acceptsUtf8)
    .map(([name]) => name);
  return function handle({ request, query, body, yieldControl }) {
    if (query !== "") {
      const got = `${formatValue(query)}: send the fields in the JSON body`;
      throw new HttpError(400, `the query must be empty, got ${got}`);
    }
    const fields = readFields(body, { names, utf8Names }, operation, request);
    const read: ReadValue = (name, parameter) =>
      parameter.fromJson(name, fields[name]);
    checkNames(operation, { noun: "field", names: Object.keys(fields), read });
    const context = {
      yieldControl,
      getMaxResultBytes,
      acceptsJsonString: true,
    };
    return format(operation.run(read, context));
  };
}

/** Returns a promise only if the result is a promise, which saves time. */
function format(
  result: JsonObject | Promise<JsonObject>,
): JsonText | Promise<JsonText> {
  return result instanceof Promise
    ? result.then(formatLine)
    : formatLine(result);
}

/**
 * @throws {HttpError} 400 for an unknown name.
 * @throws {UnsupportedError} instead, if there is also an unsupported value.
 */
function checkNames(
  { name, parameters }: Operation,
  { noun, names, read }: {
    readonly noun: "parameter" | "field";
    readonly names: readonly string[];
    readonly read: ReadValue;
  },
): void {
  const known = Object.keys(parameters);
  const owner = `/api/${name}`;
  const message = describeUnknownNames(names, known, { noun, owner });
  if (message === undefined) return;
  for (const [name, parameter] of Object.entries(parameters)) {
    try {
      read(name, parameter);
    } catch (error) {
      if (error instanceof UnsupportedError) throw error;
    }
  }
  throw new HttpError(400, message);
}

/**
 * Reads the properties with these ASCII names from the JSON object in a request body, regardless
 * of the `Content-Type`. Omits the values of other properties and the content of nested objects.
 *
 * @throws {HttpError} 400 if the body is not a JSON object.
 */
function readFields(
  body: Bytes,
  members: MemberOptions,
  { examples }: Operation,
  request: Request,
): JsonObject {
  const form = findForm(body, request);
  if (form !== undefined) {
    const [example] = Object.values(examples);
    const expected = `a JSON object such as ${JSON.stringify(example?.sent)}`;
    const got = `a form (${form})`;
    throw new HttpError(400, `the body must be ${expected}, got ${got}`);
  }
  if (!isUtf8(body)) throw new HttpError(400, "the body must be UTF-8");
  const value = body.length === 0 ? undefined : readJson(body, members);
  if (isObject(value)) return value;
  const got = formatValue(value);
  throw new HttpError(400, `the body must be a JSON object, got ${got}`);
}

const FORM_TYPE =
  /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Returns the media type if the body is a form. The `Content-Type` alone isn't conclusive,
 * because `curl -d` sends a form's type even with JSON.
 */
function findForm(body: Uint8Array, { headers }: Request): string | undefined {
  const [start, next] = String.fromCharCode(body[0]!, body[1] ?? 0);
  if (start === "-" && next === "-") return "multipart/form-data";
  if (body.length === 0 || /[\s{["']/.test(start!)) return undefined;
  return FORM_TYPE.exec(headers.get("content-type") ?? "")?.[0].toLowerCase();
}

function readJson(body: Bytes, members: MemberOptions): unknown {
  try {
    return readMembers(body, members);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new HttpError(400, `the body must be JSON: ${error.message}`);
  }
}
