/** Operations as endpoints: `GET` with a query, or `POST` with a JSON object. */

import { InputError } from "../operation/input_error.ts";
import {
  type Entry,
  type Operation,
  readFields,
  type Values,
} from "../operation/operation.ts";
import { readBody } from "./json_body.ts";
import type { Context, Route } from "./router.ts";

/** Largest result that an operation may make for a client, in bytes: 8 MiB. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Creates the route of an operation, whose path is `/api/` and its name. */
export function createRoute(operation: Operation): Route {
  const { method, name } = operation;
  const parameters = Object.entries(operation.parameters);
  const names = parameters.map(([name]) => name);
  const readValues = method === "GET"
    ? ({ query }: Context) => readQuery(parameters, query)
    : ({ body }: Context) => readFields(parameters, readBody(body, names));
  return {
    method,
    pattern: new URLPattern({ pathname: `/api/${name}` }),
    handler: (context) =>
      operation.run(readValues(context), {
        pause: context.pause,
        maxResultBytes: MAX_ANSWER_BYTES,
      }),
  };
}

/** @throws {InputError} for a wrong value, or a parameter that is given more than once. */
function readQuery(parameters: readonly Entry[], query: string): Values {
  // A list: a client could choose names with equal hashes, and to build a map of those takes
  // a second for a query of 60 KB.
  const given = new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of parameters) {
    const texts = given.getAll(name);
    if (texts.length > 1) {
      const rule = `must be given at most once, got it ${texts.length} times`;
      throw new InputError(name, rule);
    }
    values[name] = parameter.fromText(name, texts[0]);
  }
  return values;
}
