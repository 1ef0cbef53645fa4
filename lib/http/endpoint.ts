/** Operations as endpoints: `GET` with a query, or `POST` with a JSON object. */

import { isUtf8 } from "node:buffer";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import { InputError, UnsupportedError } from "../operation/input_error.ts";
import { noYield } from "../operation/context.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import { describeUnknownNames } from "../operation/unknown_names.ts";
import { type Fields, isObject } from "../json/object.ts";
import { formatLine } from "../operation/result.ts";
import { formatValue } from "../format_value.ts";
import { HttpError, type JsonText } from "./response.ts";
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
    // Not a `Map`: to build one takes 100 ms and more for a query of 60 KB whose names
    // collide, and a client can choose such names. `URLSearchParams` searches a list.
    const given = new URLSearchParams(query);
    const names = [...given.keys()];
    const read = createQueryReader(given);
    checkNames(operation, { noun: "parameter", names, read });
    const context = { yieldControl: noYield, getMaxResultBytes };
    return format(operation.run(read, context));
  };
}

function createBodyHandler(operation: Operation): Handler {
  const names = Object.keys(operation.parameters);
  return function handle({ request, query, body, yieldControl }) {
    if (query !== "") {
      const got = formatValue(query);
      throw new HttpError(
        400,
        `the query must be empty, got ${got}: send the fields in the JSON object of the body`,
      );
    }
    const fields = readFields(body, names, operation, request);
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

/** Formats a result. To save time, returns a promise only if it gets one. */
function format(
  result: Fields | Promise<Fields>,
): JsonText | Promise<JsonText> {
  return result instanceof Promise
    ? result.then(formatLine)
    : formatLine(result);
}

/**
 * Checks that the operation has all names that a client has sent.
 *
 * @throws {HttpError} 400 for an unknown name.
 * @throws {UnsupportedError} for an unsupported value, even next to unknown names.
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
 * Returns a function that reads a parameter from a query. The function throws an
 * `InputError` for a missing or invalid value, and for a parameter given more than once.
 */
function createQueryReader(given: URLSearchParams): ReadValue {
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
 * @throws {HttpError} 400 if the body is empty, a form, not UTF-8, not JSON (with line and
 * column) or not an object.
 */
function readFields(
  body: Uint8Array,
  names: readonly string[],
  { examples }: Operation,
  request: Request,
): Fields {
  if (body.length === 0) {
    throw new HttpError(400, "the body must be a JSON object, got nothing");
  }
  const form = findForm(body, request);
  if (form !== undefined) {
    const [example] = Object.values(examples);
    const object = JSON.stringify(example?.sent);
    throw new HttpError(
      400,
      `the body must be a JSON object such as ${object}, got a form (${form})`,
    );
  }
  if (!isUtf8(body)) throw new HttpError(400, "the body must be UTF-8");
  const value = readJson(body, names);
  if (isObject(value)) return value;
  throw new HttpError(
    400,
    `the body must be a JSON object, got ${formatValue(value)}`,
  );
}

/** Matches the media types of forms. */
const FORM_TYPE =
  /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Returns the media type of a form in a body; `undefined` if the body isn't a form. The
 * `Content-Type` alone doesn't tell, since `curl -d` sends JSON with that of a form.
 */
function findForm(body: Uint8Array, { headers }: Request): string | undefined {
  const [start, next] = String.fromCharCode(body[0]!, body[1] ?? 0);
  if (start === "-" && next === "-") return "multipart/form-data";
  if (/[\s{["']/.test(start!)) return undefined;
  return FORM_TYPE.exec(headers.get("content-type") ?? "")?.[0].toLowerCase();
}

function readJson(body: Uint8Array, names: readonly string[]): unknown {
  try {
    return readMembers(body, names);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new HttpError(400, `the body must be JSON: ${error.message}`);
  }
}
