/**
 * Random requests in process, compared with a reference model. `deno task fuzz` sends
 * many of them, the tests a few.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "./_text.ts";
import { createHandler } from "../routes/mod.ts";
import { call } from "./_client.ts";
import { checkResult, predict } from "./_model.ts";

/** Number of runs, and the seed. The same seed makes the same requests. */
export interface FuzzOptions {
  readonly seed: number;
  readonly numRuns: number;
}

/** Number of responses with each status. */
export type Statuses = Map<number, number>;

const encoder = new TextEncoder();

/** Draws one of the words of a text. */
export function words(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.split(" "));
}

/** Draws from the first arbitrary eight times in nine. */
export function mostly<Value, Other = unknown>(
  arbitrary: fc.Arbitrary<Value>,
  other: fc.Arbitrary<Other> = oddValue as fc.Arbitrary<Other>,
): fc.Arbitrary<Value | Other> {
  return fc.oneof({ weight: 8, arbitrary }, other);
}

const hostileNames = fc.constantFrom(
  "",
  ..."__proto__ constructor prototype toString hasOwnProperty length".split(
    " ",
  ),
);
const oddText = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(
      ..."\ud800_\udfff_\ufeff_\0_\n_a_=_-_+_é_😀".split("_"),
    ),
  }),
  words(
    "encode decode format minify validate md5 sha1 sha256 sha512 url standard",
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

/** Repeats an item, with its number, between brackets, up to a length. */
function fill(
  brackets: string,
  item: (i: number) => string,
  length: number,
): string {
  const items: string[] = [];
  for (let left = length - brackets.length; left > 0;) {
    const next = item(items.length);
    left -= next.length + 1;
    items.push(next);
  }
  return brackets[0] + items.join(",") + brackets[1];
}

/** JSON texts by shape, each of a length in UTF-16 code units, roughly. */
const SHAPES: readonly ((length: number) => string)[] = [
  (length) => fill("{}", (i) => `"${i.toString(36)}":${i}`, length),
  (length) => fill("{}", (i) => `"k${i}":{"a":[${i}]}`, length),
  (length) => fill("{}", () => '"a":1', length),
  (length) => fill("[]", () => "0", length),
  (length) => fill("[]", (i) => `["${i}", {}]`, length),
  (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  (length) => '{"":'.repeat(length / 5) + "0" + "}".repeat(length / 5),
  (length) => `"${"a".repeat(length)}"`,
  (length) => `"${"\\u00e9\\n".repeat(length / 8)}"`,
  (length) => `"${"é😀".repeat(length / 3)}"`,
  (length) => "1".repeat(length),
  (length) => `0.${"1".repeat(length / 2)}e-${"1".repeat(length / 2)}`,
];

/** Lengths around the sizes at which texts are parsed, counted and streamed differently. */
const lengths = fc.oneof(
  fc.integer({ min: 1, max: 5_000 }),
  fc.tuple(fc.constantFrom(16, 24, 32, 64), fc.integer({ min: -99, max: 9 }))
    .map(([kibibytes, difference]) => 1_024 * kibibytes + difference),
);

/** Large JSON texts of every shape, some with an invalid end. */
const shapedTexts = fc.tuple(
  fc.constantFrom(...SHAPES),
  lengths,
  mostly(fc.constant(""), words("] } , x")),
).map(([shape, length, end]) => shape(length) + end);

const action = words("encode decode format minify validate");

/** Objects that are valid requests, or similar to them. */
export const fields = fc.tuple(
  fc.record({
    action: mostly(action),
    algorithm: mostly(words("sha1 sha256 sha512 md5")),
    input: mostly(oddText),
    indent: mostly(fc.constantFrom(2, 4)),
    variant: mostly(words("standard url")),
  }, { requiredKeys: [] }),
  fc.dictionary(hostileNames, oddValue, { maxKeys: 2 }),
).map(([known, unknown]) => ({ ...unknown, ...known }));

/** Objects that are valid requests, with inputs of every shape. */
export const shapedFields = fc.record({
  action,
  algorithm: words("sha1 sha256 sha512"),
  input: shapedTexts,
  indent: fc.constantFrom(2, 4),
});

/** Objects with large unknown members between members that may be given twice. */
const surroundedFields = fc.tuple(
  fc.oneof(fields, shapedFields),
  shapedTexts,
  fc.oneof(fields, fc.constant({})),
).map(([before, text, after]) => {
  const [first, last] = [before, after].map((fields) =>
    JSON.stringify(fields).slice(1, -1)
  );
  // The members of an object become members of the request.
  const unknown = text.startsWith("{") && text.endsWith("}")
    ? text.slice(1, -1)
    : `"x":${text}`;
  return `{${[first, unknown, last].filter(Boolean)}}`;
});

/** Bytes that are a JSON body, similar to one, or arbitrary. */
export const bodies = fc.oneof(
  { weight: 12, arbitrary: fields.map(toBytes) },
  { weight: 1, arbitrary: shapedFields.map(toBytes) },
  {
    weight: 3,
    arbitrary: surroundedFields.map((text) => encoder.encode(text)),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(fields, fc.nat(), fc.integer({ min: 0, max: 255 })).map(
      ([value, position, byte]) => {
        const bytes = toBytes(value);
        bytes[position % bytes.length] = byte;
        return bytes;
      },
    ),
  },
  { weight: 2, arbitrary: oddValue.map(toBytes) },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) =>
      Uint8Array.from(bytes)
    ),
  },
);

function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

const PATHS =
  "/api/base64 /api/hash /api/uuid /api/password /api/json /healthz";
const paths = fc.oneof(
  { weight: 12, arbitrary: words(PATHS) },
  fc.tuple(
    words(PATHS),
    words("/ // /x % %00 %ff %E0%A4%A ; /../x /../uuid \\"),
  )
    .map((parts) => parts.join("")),
  fc.array(anyText({ maxLength: 8 })).map((segments) =>
    ["/w", ...segments.map(encodeURIComponent)].join("/")
  ),
);
const queryValues = fc.oneof(
  fc.integer({ min: -2, max: 140 }).map(String),
  words("true false 1 0 yes no ON off % %ff %00 +5 1e1 12abc 0x10"),
  fc.constantFrom("", "9".repeat(40)),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
);
const queries = fc.array(
  fc.tuple(
    words(
      "count length uppercase lowercase numbers symbols ambiguous __proto__ x",
    ),
    queryValues,
  ).map((pair) => pair.join("=")),
  { maxLength: 4 },
).map((pairs) => pairs.length === 0 ? "" : `?${pairs.join("&")}`);

/** Values of headers, mostly invalid. */
export const headerValues = fc.string({
  unit: fc.constantFrom(..."abc*/;,= \t\"'éÿ"),
  maxLength: 20,
});
const requests = fc.record({
  /** `fitting` stands for a method that the path has. */
  method: fc.oneof(
    { weight: 10, arbitrary: fc.constant("fitting") },
    words("GET POST HEAD OPTIONS PUT DELETE PATCH BREW get post"),
  ),
  path: paths,
  query: queries,
  headers: fc.dictionary(
    words(
      "content-type accept origin access-control-request-headers access-control-request-method x-a range if-none-match",
    ),
    headerValues,
    { maxKeys: 3 },
  ),
  body: bodies,
  /** Whether the server vouches for the length of the body, as `Deno.serve` does. */
  isServed: fc.boolean(),
});

const handler = createHandler();

/** Sends fields, and checks the status and result by the reference model. */
export async function checkPost(
  endpoint: string,
  fields: object,
): Promise<void> {
  const body = toBytes(fields);
  const sent = { endpoint, query: new URLSearchParams(), body };
  const answer = await call(endpoint, { method: "POST", body });
  assertEquals(answer.status, predict(sent));
  if (answer.status === 200) checkResult(sent, answer.body!);
}

/**
 * Sends random requests to the handler and checks every response: the headers and
 * form that all responses have, and its status and result by the reference model.
 */
export async function fuzzHandler(
  { seed, numRuns }: FuzzOptions,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { path, query, body, isServed } = request;
      const headers = { ...request.headers };
      const isGet = /uuid|password|healthz/.test(path);
      const method = request.method === "fitting"
        ? isGet ? "GET" : "POST"
        : request.method;
      const hasBody = !["GET", "HEAD"].includes(method.toUpperCase());
      if (hasBody && isServed) headers["content-length"] = `${body.length}`;
      const { promise: completed, resolve } = Promise.withResolvers<void>();
      const { status, body: result } = await call(path + query, {
        method,
        headers,
        body: hasBody ? body : null,
        handler: (request) => handler(request, isServed ? { completed } : {}),
      });
      resolve();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const endpoint = new URL(path, "http://h").pathname.replace(/\/$/, "");
      const sent = { endpoint, query: new URLSearchParams(query), body };
      if (
        method === (isGet ? "GET" : "POST") &&
        PATHS.split(" ").includes(endpoint)
      ) {
        assertEquals(status, predict(sent));
      }
      if (status === 200 && result !== undefined) checkResult(sent, result);
      assert(status !== 503);
    }),
    { seed, numRuns },
  );
  return statuses;
}
