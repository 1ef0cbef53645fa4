/** Random requests, compared with an independent model, and random messages. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHandler } from "../routes/mod.ts";
import { call } from "./_client.ts";
import { checkResult, predict } from "./_model.ts";
import fc, { anyText, mutatedTexts, times, words } from "./_random.ts";
import { createServiceHandler } from "./_thread.ts";
import { fitHeaders, type Json, META, send, sendLines } from "./mcp/_agent.ts";

const utf8Encoder = new TextEncoder();
const library = createHandler();
const service = createServiceHandler();

/** Draws a likely value nine times in ten. */
function mostly<Likely, Other>(
  likely: fc.Arbitrary<Likely>,
  other: fc.Arbitrary<Other>,
): fc.Arbitrary<Likely | Other> {
  return fc.oneof({ weight: 9, arbitrary: likely }, other);
}

/** Draws `undefined` nine times in ten. */
function seldom<Value>(value: fc.Arbitrary<Value>) {
  return mostly(fc.constant(undefined), value);
}

/** Draws an unusual value one time in ten. */
function likely(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return mostly(values, unusualValues);
}

const hostileNames = words("__proto__ constructor toString length");

/** Values that hardly any field accepts. */
const unusualValues: fc.Arbitrary<unknown> = fc.oneof(
  anyText(),
  words("encode Encode minify md5 SHA1 constructor 2 5"),
  fc.constantFrom(0, 3, -1, 2.5, 1e300, 2 ** 53, true, null, null, undefined),
  fc.array(anyText(), { maxLength: 2 }),
  fc.dictionary(hostileNames, anyText(), { maxKeys: 2 }),
  fc.nat(2_000).map((depth) =>
    JSON.parse(`[${"[".repeat(depth)}${"]".repeat(depth)}]`)
  ),
);

/** Strings with characters of every length in UTF-8, some of more than 64 KiB. */
const anyStrings = fc.tuple(
  fc.constantFrom("", "", "\ufeff", "\ud800"),
  anyText(),
  fc.constantFrom(0, 0, 600, 70_000),
).map(([start, text, length]) => start + text + "a".repeat(length));

/** Base64 in every notation, and damaged Base64. */
const base64Strings = fc.tuple(
  anyStrings,
  fc.constantFrom("base64", "base64url"),
  // Replaces the padding, or keeps it.
  fc.constantFrom("$&", "$&", "", "=", " "),
  fc.oneof(fc.constant(""), words("= == - + _ / é A")),
  fc.nat(),
).map(([text, encoding, padding, inserted, position]) => {
  const encoded = Buffer.from(text).toString(encoding as "base64")
    .replace(/=+$/, padding);
  const at = position % (encoded.length + 1);
  return encoded.slice(0, at) + inserted + encoded.slice(at);
});

/** Large JSON documents, each with a repeated part. */
const SHAPES: readonly ((count: number) => string)[] = [
  (count) => `[${"0,".repeat(count)}0]`,
  (count) => `[${'["é", {} ],'.repeat(count)}{}]`,
  (count) => "[".repeat(count) + "]".repeat(count),
  (count) => `{${'"a":{"b":[1]},'.repeat(count)}"a":0}`,
  (count) => `"${String.raw`\u00e9\n\\\"`.repeat(count)}"`,
  (count) => `"${"é😀".repeat(count)}"`,
];
const largeTexts = fc.tuple(
  fc.constantFrom(...SHAPES),
  fc.constantFrom(1, 40, 1_000, 1_500, 4_000),
).map(([shape, count]) => shape(count));
const jsonTexts = fc.oneof(
  mutatedTexts,
  largeTexts,
  fc.string({ unit: fc.constantFrom(..."01-+.eE"), maxLength: 4 }),
);

/** The operations with fields or arguments, most of them valid. */
const calls = fc.oneof(
  fc.record({
    operation: fc.constant("base64"),
    action: likely(words("encode decode")),
    input: likely(fc.oneof(base64Strings, anyStrings)),
    variant: likely(words("standard url")),
  }, { requiredKeys: ["operation", "action"] }),
  fc.record({
    operation: fc.constant("hash"),
    algorithm: likely(words("sha1 sha256 sha512 md5")),
    input: likely(anyStrings),
  }, { requiredKeys: ["operation"] }),
  fc.record({
    operation: fc.constant("json"),
    action: likely(words("format minify validate")),
    input: likely(jsonTexts),
    indent: likely(fc.constantFrom(2, 4)),
  }, { requiredKeys: ["operation", "action"] }),
).map(({ operation, ...fields }) => [operation, fields as object] as const);

const unknownMembers = fc.dictionary(hostileNames, unusualValues, {
  maxKeys: 1,
});

const json = (value: unknown) => JSON.stringify(value) ?? "";

/** Escapes the first character of a JSON string. */
function escapeFirst(string: string): string {
  const hex = string.charCodeAt(1).toString(16).padStart(4, "0");
  return `"\\u${hex}${string.slice(2)}`;
}

/** Paths, and bodies that are a JSON object, similar to one, or arbitrary. */
const posts = fc.tuple(
  calls,
  seldom(unknownMembers),
  seldom(fc.tuple(largeTexts, calls)),
  seldom(fc.oneof(unusualValues.map(json), mutatedTexts)),
  seldom(fc.tuple(fc.nat(99), fc.nat(255))),
  seldom(fc.constant("\ufeff")),
  seldom(words("action input algorithm indent")),
).map(([call, unknown, more, other, damage, mark = "", escaped = ""]) => {
  const [operation, fields] = call;
  const text = json({ ...unknown, ...fields })
    .replace(`"${escaped}":`, escapeFirst);
  // Large members, and repeated members.
  const members = more && json(more[1][1]).slice(1, -1);
  const longer = more &&
    `{"input":${more[0]},"input":${text},${members || '"input":0'},` +
      (text.slice(1) === "}" ? '"input":0}' : text.slice(1));
  const bytes = utf8Encoder.encode(mark + (other ?? longer ?? text));
  const [position, byte] = damage ?? [];
  return {
    path: `/api/${operation}`,
    body: bytes.map((before, i) => i === position ? byte! : before),
  };
});

const PATHS =
  "/api/base64 /api/hash /api/json /api/uuid /api/password /healthz";
const otherPaths = fc.oneof(
  fc.tuple(words(PATHS), words("/ // /x % %00 %ff %E0%A4%A ; /../x /../uuid"))
    .map((parts) => parts.join("")),
  words("//api/uuid /api///password ///healthz// //api"),
  anyText(8).map((text) => `/w/${encodeURIComponent(text)}`),
);
const integers = fc.oneof(
  fc.integer({ min: -1, max: 130 }).map(String),
  words("05 +5 5x 1e1 0x5 %35"),
);
const booleans = words("true false 1 0 yes NO On off y %00");
const queries = fc.array(
  fc.oneof(
    fc.tuple(words("count length x"), integers),
    fc.tuple(words("uppercase symbols numbers ambiguous x"), booleans),
    fc.tuple(words("count length x"), anyText().map(encodeURIComponent)),
  ).map((pair) => pair.join("=")),
  { maxLength: 3 },
).map((pairs) => pairs.join("&"));
const headers = fc.dictionary(
  words("content-type accept origin access-control-request-headers range"),
  fc.string({ unit: fc.constantFrom(...'abc*/;,= \t"éÿ') }),
  { maxKeys: 2 },
);

const requests = fc.record({
  post: posts,
  path: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: words("/api/uuid /api/password /healthz") },
    otherPaths,
  ),
  /** If absent, the request has the method of its path. */
  method: seldom(words("GET POST HEAD OPTIONS PUT DELETE PATCH BREW")),
  /** Most POST requests have no query. */
  query: queries,
  hasQuery: seldom(fc.constant(true)),
  headers,
  /** Whether the service handles the request, instead of the library. */
  isServed: fc.boolean(),
});

Deno.test("random requests get the predicted status and body", async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests, async ({ post, isServed, ...sent }) => {
      const { body } = post;
      const path = sent.path ?? post.path;
      const isGet = /uuid|password|healthz/.test(path);
      const method = String(sent.method ?? (isGet ? "GET" : "POST"));
      const hasBody = method !== "GET" && method !== "HEAD";
      const length = `${body.length}`;
      const query = isGet || sent.hasQuery ? sent.query : "";
      const url = new URL(`http://localhost${path}?${query}`);
      const request = new Request(url, {
        method,
        headers: {
          ...sent.headers,
          ...(hasBody && isServed ? { "content-length": length } : {}),
        },
        body: hasBody ? body : null,
      });
      const { promise: completed, resolve } = Promise.withResolvers<void>();
      const response = await call(request, {
        handler: (request) =>
          isServed ? service(request, { completed }) : library(request),
      });
      resolve();
      const { status } = response;
      statuses.add(status);
      const expected = predict({
        method,
        path: url.pathname,
        query: url.search,
        body,
      });
      assertEquals(status, typeof expected === "number" ? expected : 200);
      if (status === 200 && response.body) {
        checkResult(expected, response.body);
      }
    }),
    { numRuns: times(2_000) },
  );
  assertEquals([...statuses].sort(), [200, 204, 400, 404, 405, 501]);
});

/** Calls of the tools whose results are not random, most of them valid. */
const toolCalls = fc.tuple(calls, seldom(unknownMembers)).map(
  ([[operation, args], more]) => {
    const tools = { base64: "convertBase64", hash: "hashText" };
    const name = tools[operation as keyof typeof tools] ?? "processJson";
    return { name, arguments: { ...more, ...args } as unknown };
  },
);

const messages = fc.record({
  jsonrpc: likely(fc.constant("2.0")),
  id: likely(fc.oneof(fc.nat(), anyText(4))),
  method: mostly(
    fc.constant("tools/call"),
    fc.oneof(
      words("ping tools/list initialize server/discover notifications/x"),
      unusualValues,
    ),
  ),
  params: likely(
    fc.tuple(
      toolCalls,
      likely(fc.constantFrom({}, META, META)),
      words("2025-11-25 2024-11-05 1999-01-01"),
    ).map(([call, _meta, protocolVersion]) => (
      { ...call, _meta, protocolVersion }
    )),
  ),
  result: seldom(unusualValues),
});

/** A line, and its message if it is one. */
const lines = fc.oneof(
  {
    weight: 12,
    arbitrary: messages.map((message) => [json(message), message] as const),
  },
  fc.array(messages, { maxLength: 2 }).map((batch) => [json(batch)] as const),
  // Blank lines get no response through stdin, even after a byte order mark.
  posts.filter(({ body }) => body.some((byte) => byte > 0x20 && byte < 0x80))
    .map(({ body }) =>
      [body.map((byte) => byte === 0x0a ? 0x20 : byte)] as const
    ),
);

/** Checks the format of a JSON-RPC response, and returns its error code. */
function checkResponse(message: Json, response: Json): number {
  const { jsonrpc, id, result, error } = response;
  assertEquals([jsonrpc, result === undefined], ["2.0", error !== undefined]);
  const isId = typeof message.id === "string" ||
    Number.isSafeInteger(message.id);
  assertEquals(id, isId ? message.id : null);
  assert(isId || error !== undefined);
  if (error === undefined) return 0;
  assert(Number.isInteger(error.code) && error.code !== -32_603);
  assert(error.message !== "" && error.message.length < 500);
  return error.code;
}

const PING = json({ jsonrpc: "2.0", id: "last", method: "ping" });

Deno.test("random messages get one valid response each, the same over HTTP and through stdin", async () => {
  const codes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { maxLength: 5 }), async (lines) => {
      const expected: Json[] = [];
      for (const [text, message] of lines) {
        const body = new Blob([text]);
        const response = await send(body, fitHeaders(message), library);
        assertEquals(response.body === undefined, response.status === 202);
        if (response.body === undefined) continue;
        codes.add(checkResponse(message ?? {}, response.body));
        const { id, method } = message ?? {};
        const isNotification = typeof method === "string" && id === undefined;
        if (!isNotification) expected.push(response.body);
      }
      const input = new Blob([
        ...lines.flatMap(([text]) => [text, "\n"]),
        PING,
      ]);
      const responses = await sendLines(await input.bytes());
      assertEquals(responses.pop(), { jsonrpc: "2.0", id: "last", result: {} });
      assertEquals(responses.length, expected.length);
      for (const [i, response] of responses.entries()) {
        // A name that no header can contain is an error over HTTP only.
        if (expected[i].error?.code === -32_020) continue;
        assertEquals(response, expected[i]);
      }
    }),
    { numRuns: times(500) },
  );
  for (const code of [0, -32_700, -32_600, -32_601, -32_602]) {
    assert(codes.has(code), `no response has the code ${code}`);
  }
});
