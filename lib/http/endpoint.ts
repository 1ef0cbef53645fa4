/** Operations as endpoints: `GET` with a query, or `POST` with a JSON object. */

import { InputError, UnsupportedError } from "../operation/input_error.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import { writeResult } from "../operation/result.ts";
import { HttpError } from "./http_error.ts";
import { readBody } from "./json_body.ts";
import type { Handler, Route } from "./router.ts";

/**
 * The `maxResultBytes` that endpoints pass to operations, in bytes, inclusive: 8 MiB. It
 * limits formatted JSON, which can be much larger than the input.
 */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** Creates the route of an operation, whose path is `/api/` and the operation's name. */
export function createRoute(operation: Operation): Route {
  const { method, name } = operation;
  const pattern = new URLPattern({ pathname: `/api/${name}` });
  const handler = method === "GET"
    ? createQueryHandler(operation)
    : createBodyHandler(operation);
  return { method, pattern, handler };
}

/** Creates a GET handler. To save time, it returns a promise only if the operation does. */
function createQueryHandler(operation: Operation): Handler {
  return function answer({ query, pause }) {
    try {
      const result = operation.run(createQueryReader(query), {
        pause,
        maxResultBytes: MAX_RESULT_BYTES,
      });
      return result instanceof Promise
        ? result.then(writeResult, refuse)
        : writeResult(result);
    } catch (error) {
      return refuse(error);
    }
  };
}

function createBodyHandler(operation: Operation): Handler {
  const names = Object.keys(operation.parameters);
  return async function answer({ body, pause }) {
    const fields = readBody(body, names);
    const read: ReadValue = (name, parameter) =>
      parameter.fromJson(name, fields[name]);
    try {
      const result = await operation.run(read, {
        pause,
        maxResultBytes: MAX_RESULT_BYTES,
      });
      return writeResult(result);
    } catch (error) {
      return refuse(error);
    }
  };
}

/**
 * Throws an `HttpError` with the message of an `InputError`. The status is 501 if the
 * `InputError` is an `UnsupportedError`, else 400. Throws any other error unchanged.
 */
function refuse(error: unknown): never {
  if (!(error instanceof InputError)) throw error;
  const status = error instanceof UnsupportedError ? 501 : 400;
  throw new HttpError(status, error.message);
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
