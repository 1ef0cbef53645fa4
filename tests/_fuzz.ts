/**
 * Random and mutated requests in process, with independent oracles. `deno task fuzz`
 * sends many of them, the tests a few.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type Answer, call } from "./_client.ts";

/** Number of runs, and the seed. The same seed makes the same requests. */
export interface FuzzOptions {
  readonly seed: number;
  readonly numRuns: number;
}

const PATHS = [
  "/api/base64",
  "/api/hash",
  "/api/uuid",
  "/api/password",
  "/api/json",
  "/healthz",
];
const hostileNames = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "",
);
const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "\ud800",
      "\udfff",
      "\ufeff",
      "\0",
      "\n",
      "a",
      "=",
      "-",
      "+",
      "é",
      "😀",
    ),
  }),
  fc.constantFrom(
    "encode",
    "decode",
    "format",
    "minify",
    "validate",
    "md5",
    "sha1",
    "sha256",
    "sha512",
    "url",
    "standard",
  ),
  fc.string({ unit: fc.constantFrom(..."AQgw+/-_= \n"), maxLength: 24 }),
  fc.json(),
  fc.string({
    unit: fc.constantFrom(...'{}[]",:\\ \n01-.eE', "true", "null", '"a"'),
    maxLength: 24,
  }),
  hostileNames,
);
/** Values that no field accepts. */
export const oddValue = fc.oneof(
  oddText,
  fc.constantFrom(0, 2, 4, -1, 2.5, 1e400, true, null, undefined),
  fc.array(oddText, { maxLength: 2 }),
  fc.dictionary(oddText, oddText, { maxKeys: 2 }),
);

/** Objects that are valid requests, or similar to them. */
export const fields = fc.tuple(
  fc.record({
    action: fc.oneof({
      weight: 6,
      arbitrary: fc.constantFrom(
        "encode",
        "decode",
        "format",
        "minify",
        "validate",
      ),
    }, oddValue),
    algorithm: fc.oneof({
      weight: 6,
      arbitrary: fc.constantFrom("sha1", "sha256", "sha512", "md5"),
    }, oddValue),
    input: fc.oneof({ weight: 8, arbitrary: oddText }, oddValue),
    indent: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(2, 4) }, oddValue),
    variant: fc.oneof({
      weight: 4,
      arbitrary: fc.constantFrom("standard", "url"),
    }, oddValue),
  }, { requiredKeys: [] }),
  fc.dictionary(hostileNames, oddValue, { maxKeys: 2 }),
).map(([known, unknown]) => ({ ...unknown, ...known }));

/** Bytes that are a JSON body, similar to one, or arbitrary. */
export const bodies = fc.oneof(
  {
    weight: 6,
    arbitrary: fields.map((value) => Buffer.from(JSON.stringify(value))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fields, fc.nat(), fc.integer({ min: 0, max: 255 })).map(
      ([value, position, byte]) => {
        const bytes = Buffer.from(JSON.stringify(value));
        bytes[position % bytes.length] = byte;
        return bytes;
      },
    ),
  },
  {
    weight: 1,
    arbitrary: oddValue.map((value) =>
      Buffer.from(JSON.stringify(value) ?? "")
    ),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) =>
      Buffer.from(bytes)
    ),
  },
);

const paths = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...PATHS) },
  fc.tuple(
    fc.constantFrom(...PATHS),
    fc.constantFrom(
      "/",
      "//",
      "/x",
      "%",
      "%00",
      "%ff",
      "%E0%A4%A",
      ";",
      "/../x",
      "/../uuid",
      "\\",
    ),
  ).map(([path, suffix]) => path + suffix),
  fc.webPath().map((path) => `/w${path}`),
);
const queryValues = fc.oneof(
  fc.integer({ min: -2, max: 140 }).map(String),
  fc.constantFrom(
    "true",
    "false",
    "1",
    "0",
    "yes",
    "no",
    "ON",
    "off",
    "",
    "%",
    "%ff",
    "%00",
    "+5",
    "1e1",
    "12abc",
    "0x10",
    "9".repeat(40),
  ),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
);
const queries = fc.array(
  fc.tuple(
    fc.constantFrom(
      "count",
      "length",
      "uppercase",
      "lowercase",
      "numbers",
      "symbols",
      "ambiguous",
      "__proto__",
      "x",
    ),
    queryValues,
  )
    .map(([name, value]) => `${name}=${value}`),
  { maxLength: 4 },
).map((parameters) =>
  parameters.length === 0 ? "" : `?${parameters.join("&")}`
);

/** Methods; "fitting" stands for a method that the path has. */
const methods = fc.oneof(
  { weight: 5, arbitrary: fc.constant("fitting") },
  fc.constantFrom(
    "GET",
    "POST",
    "HEAD",
    "OPTIONS",
    "PUT",
    "DELETE",
    "PATCH",
    "BREW",
    "get",
    "post",
  ),
);
/** Values of headers, mostly invalid. */
export const headerValues = fc.string({
  unit: fc.constantFrom(..."abc*/;,= \t\"'éÿ"),
  maxLength: 20,
});
const requestHeaders = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "accept",
    "origin",
    "access-control-request-headers",
    "access-control-request-method",
    "x-a",
    "range",
    "if-none-match",
  ),
  headerValues,
  { maxKeys: 3 },
);

const requests = fc.record({
  method: methods,
  path: paths,
  query: queries,
  headers: requestHeaders,
  body: bodies,
})
  .map(({ method, ...request }) => ({
    ...request,
    method: method !== "fitting"
      ? method
      : /uuid|password|healthz/.test(request.path)
      ? "GET"
      : "POST",
  }));

/** Number of responses with each status. */
export type Statuses = Map<number, number>;

/**
 * Sends random requests to the handler and checks every response: the
 * headers and form that all responses have, and each result by an oracle.
 */
export async function fuzzHandler(
  { seed, numRuns }: FuzzOptions,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  await fc.assert(
    fc.asyncProperty(
      requests,
      async ({ method, path, query, headers, body }) => {
        const hasBody = !["GET", "HEAD"].includes(method.toUpperCase());
        const answer = await call(path + query, {
          method,
          headers,
          ...(hasBody ? { body } : {}),
        });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200 && answer.body !== undefined) {
          checkSuccess(path, query, body, answer);
        }
      },
    ),
    { seed, numRuns },
  );
  return statuses;
}

/** Checks a result by computing it in another way. */
function checkSuccess(
  path: string,
  query: string,
  body: Buffer,
  answer: Answer,
): void {
  const { pathname } = new URL(path, "http://h");
  const result = answer.body!;
  const endpoint = pathname.replace(/\/$/, "");
  if (endpoint === "/healthz") return assertEquals(result, { status: "ok" });
  const parameters = new URLSearchParams(query);
  if (endpoint === "/api/uuid") {
    const uuids = parameters.has("count")
      ? result["uuids"] as string[]
      : [result["uuid"] as string];
    assertEquals(uuids.length, Number(parameters.get("count") ?? 1));
    const version4 =
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    return assert(uuids.every((uuid) => version4.test(uuid)));
  }
  if (endpoint === "/api/password") {
    return checkPassword(parameters, result["password"] as string);
  }
  const request = JSON.parse(body.toString("utf8"));
  if (endpoint === "/api/base64") {
    const { action, input, variant } = request;
    const encoded = action === "encode"
      ? Buffer.from(input).toString(variant === "url" ? "base64url" : "base64")
      : Buffer.from(input.replace(/[\t\n\f\r ]/g, ""), "base64").toString(
        "utf8",
      );
    return assertEquals(result, { result: encoded });
  }
  if (endpoint === "/api/hash") {
    const { algorithm, input } = request;
    return assertEquals(result, {
      result: createHash(algorithm).update(input).digest("hex"),
      algorithm,
    });
  }
  assertEquals(endpoint, "/api/json");
  checkJson(request, result);
}

function checkPassword(parameters: URLSearchParams, password: string): void {
  const isOff = (name: string) =>
    /^(false|0|no|off)$/i.test(parameters.get(name) ?? "");
  assertEquals(password.length, Number(parameters.get("length") ?? 16));
  const classes = {
    uppercase: /[A-Z]/,
    lowercase: /[a-z]/,
    numbers: /[0-9]/,
    symbols: /[^A-Za-z0-9]/,
  };
  const enabled = Object.keys(classes).filter((name) => !isOff(name));
  for (const [name, pattern] of Object.entries(classes)) {
    if (isOff(name)) assert(!pattern.test(password), name);
    else if (password.length >= enabled.length) {
      assert(pattern.test(password), name);
    }
  }
  if (isOff("ambiguous")) assert(!/[0O1Il5S]/.test(password));
}

function checkJson(
  request: { action: string; input: string; indent?: number },
  result: Answer["body"],
): void {
  const { action, input, indent = 2 } = request;
  let value: unknown;
  let isValid = true;
  try {
    value = JSON.parse(input);
  } catch {
    isValid = false;
  }
  assertEquals(result!["valid"], isValid);
  if (action === "validate") {
    return assert(isValid === (result!["result"] === "valid JSON"));
  }
  const text = result!["result"] as string;
  assertEquals(JSON.parse(text), value);
  // Only white space outside strings may differ.
  const tokens = (json: string) =>
    json.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)!.join("");
  assertEquals(tokens(text), tokens(input));
  const plain = action === "minify"
    ? JSON.stringify(value)
    : JSON.stringify(value, null, indent);
  if (tokens(plain) === tokens(input)) assertEquals(text, plain);
}
