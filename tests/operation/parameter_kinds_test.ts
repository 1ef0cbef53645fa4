/** Operations with every parameter type, because the five operations have only some. */

import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { createRoute } from "../../lib/http/endpoint.ts";
import { NO_BODY } from "../../lib/http/body.ts";
import { callTool, createTool } from "../../lib/mcp/tools.ts";
import { InputError } from "../../lib/operation/input_error.ts";
import { noYield } from "../../lib/operation/context.ts";
import {
  defineOperation,
  type Operation,
} from "../../lib/operation/operation.ts";
import {
  boolean,
  choice,
  integer,
  optional,
  string,
} from "../../lib/operation/parameters.ts";
import { ExitError } from "../../lib/process/exit_error.ts";
import { runOperation } from "../../lib/terminal/mod.ts";
import { formatHelp } from "../../lib/terminal/help.ts";

function define(method: "GET" | "POST"): Operation {
  return defineOperation({
    method,
    name: "sample",
    summary: "Return the values",
    description: "Returns the values.",
    tool: { name: "sample", description: "Return the values." },
    parameters: {
      unit: choice(["m", "ft"], { description: "Unit." }),
      size: integer({ min: 1, max: 9, description: "Size." }),
      note: string({ description: "Note." }),
      count: integer({ min: 0, max: 5, default: 2, description: "Count." }),
      bold: boolean({ default: true, description: "Bold." }),
      extra: optional(integer({ min: -3, max: 3, description: "Extra." })),
    },
    results: { SampleResponse: { result: { type: "string" } } },
    errors: {},
    examples: {},
    run: (values) => ({ result: JSON.stringify(values) }),
  });
}

type Values = Readonly<Record<string, unknown>>;

/** Calls an operation through an interface, and returns the values that `run()` received. */
type Call = (operation: Operation, values: Values) => Promise<unknown>;

async function callEndpoint(
  operation: Operation,
  values: Values,
): Promise<unknown> {
  const { handler, method } = createRoute(operation);
  const isGet = method === "GET";
  const query = new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, String(value)]),
  );
  const response = await handler({
    request: new Request("http://localhost/api/sample"),
    query: isGet ? query.toString() : "",
    body: isGet ? NO_BODY : new TextEncoder().encode(JSON.stringify(values)),
    yieldControl: noYield,
  });
  return JSON.parse(JSON.parse(String(response)).result);
}

async function callAsTool(
  operation: Operation,
  values: Values,
): Promise<unknown> {
  const tool = createTool(operation);
  const result = await callTool(tool, values, noYield);
  return JSON.parse(JSON.parse(result).result);
}

function openNothing() {
  return new Blob().stream();
}

async function callAsCommand(
  operation: Operation,
  values: Values,
): Promise<unknown> {
  const { unit, bold, ...options } = values;
  const args = Object.entries(options)
    .flatMap(([name, value]) => [`--${name}=${value}`]);
  if (unit !== undefined) args.unshift(String(unit));
  if (bold !== undefined) args.push(bold ? "--bold" : "--no-bold");
  const { result } = await runOperation(operation, args, openNothing);
  return JSON.parse(String(result["result"]));
}

const CALLS: Readonly<Record<string, Call>> = {
  endpoint: callEndpoint,
  tool: callAsTool,
  command: callAsCommand,
};

const REQUIRED = { unit: "ft", size: 3, note: "a b" };

for (const method of ["GET", "POST"] as const) {
  const operation = define(method);

  Deno.test(`a ${method} operation receives the same values of every type from every interface`, async (t) => {
    for (const [name, call] of Object.entries(CALLS)) {
      await t.step(name, async () => {
        const defaults = { ...REQUIRED, count: 2, bold: true };
        assertEquals(await call(operation, REQUIRED), defaults);
        const all = { ...REQUIRED, count: 0, bold: false, extra: -3 };
        assertEquals(await call(operation, all), all);
      });
    }
  });

  Deno.test(`a ${method} operation treats null in JSON as absent unless a value is required`, async () => {
    const absent = { count: null, bold: null, extra: null };
    const defaults = { ...REQUIRED, count: 2, bold: true };
    const calls = method === "POST" ? [callEndpoint, callAsTool] : [callAsTool];
    for (const call of calls) {
      assertEquals(await call(operation, { ...REQUIRED, ...absent }), defaults);
      for (const name of Object.keys(REQUIRED)) {
        const values = { ...REQUIRED, [name]: null };
        const error = await assertRejects(() => call(operation, values), Error);
        assertStringIncludes(error.message, `"${name}" must be`);
        assertStringIncludes(error.message, "got null");
      }
    }
  });

  Deno.test(`a ${method} operation rejects a call without a required value from every interface`, async (t) => {
    for (const [name, call] of Object.entries(CALLS)) {
      for (const missing of Object.keys(REQUIRED)) {
        await t.step(`${name}, without ${missing}`, async () => {
          const provided = Object.entries(REQUIRED)
            .filter(([parameter]) => parameter !== missing);
          const error = await assertRejects<Error>(
            () => call(operation, Object.fromEntries(provided)),
            name === "command" ? ExitError : InputError,
          );
          assertMatch(error.message, RegExp(`${missing}.*got nothing$`, "i"));
        });
      }
    }
  });

  Deno.test(`the help of a ${method} operation shows the required arguments in its usage`, () => {
    const usage = "devutils sample UNIT --size NUMBER --note TEXT [OPTIONS]";
    assertEquals(/^Usage: (.*)$/m.exec(formatHelp(operation))?.[1], usage);
  });
}
