/** Valid and invalid messages to `/mcp`; see `_fuzz.ts`. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  bodies,
  fields,
  type FuzzOptions,
  headerValues,
  oddValue,
  type Statuses,
} from "./_fuzz.ts";
import { SERVER } from "../routes/mcp.ts";
import { createHandler } from "../routes/mod.ts";
import { post } from "./_client.ts";
import { sendLines } from "./mcp/_client.ts";

const handler = createHandler();

/** The endpoints with reproducible results, by the names of their tools. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  convertBase64: "/api/base64",
  hashText: "/api/hash",
  processJson: "/api/json",
};

/** Generates `undefined`, which JSON leaves out, nine times in ten. */
function rarely<Value>(arbitrary: fc.Arbitrary<Value>) {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, arbitrary);
}

const tools = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      "convertBase64",
      "hashText",
      "generateUuids",
      "generatePassword",
      "processJson",
    ),
  },
  fc.constantFrom("mcp", "health", "constructor", "__proto__", "", "😀"),
);
const revisions = fc.oneof(
  { weight: 8, arbitrary: fc.constant("2026-07-28") },
  fc.constantFrom(
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
    "2030-01-01",
    "",
    "x",
  ),
);
const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant("tools/call") },
  fc.constantFrom(
    "tools/list",
    "initialize",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "notifications/initialized",
    "notifications/cancelled",
    "logging/setLevel",
    "completion/complete",
    "resources/list",
    "prompts/get",
    "tasks/get",
    "constructor",
    "",
  ),
);
const identifiers = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(fc.nat(), fc.string()) },
  fc.constantFrom(
    -1,
    1.5,
    1e300,
    2 ** 53,
    null,
    true,
    "x".repeat(70_000),
    "\ud800",
  ),
  oddValue,
);
const deepValue = fc.integer({ min: 1, max: 2_000 }).map((depth) =>
  JSON.parse("[".repeat(depth) + "]".repeat(depth))
);
const args = fc.oneof(
  { weight: 8, arbitrary: fields },
  {
    weight: 3,
    arbitrary: fc.dictionary(
      fc.constantFrom("count", "length", "symbols", "uppercase", "ambiguous"),
      fc.oneof(fc.integer({ min: -1, max: 130 }), fc.boolean(), oddValue),
      { maxKeys: 3 },
    ),
  },
  fc.record({ input: deepValue, x: deepValue }),
  oddValue,
  deepValue,
);

/** `_meta` of requests of the newest revision. */
const meta = fc.record({
  "io.modelcontextprotocol/protocolVersion": revisions,
  "io.modelcontextprotocol/clientInfo": fc.oneof(
    { weight: 8, arbitrary: fc.constant({ name: "fuzz", version: "1" }) },
    oddValue,
  ),
  "io.modelcontextprotocol/clientCapabilities": fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    oddValue,
    deepValue,
  ),
  progressToken: fc.oneof(fc.nat(), rarely(oddValue)),
}, {
  requiredKeys: [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
  ],
});
const params = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      name: tools,
      arguments: args,
      _meta: fc.oneof({ weight: 8, arbitrary: meta }, oddValue),
      protocolVersion: revisions,
      capabilities: fc.oneof(fc.constant({}), oddValue),
      clientInfo: fc.constant({ name: "fuzz", version: "1" }),
      notifications: fc.oneof(
        fc.constant({ toolsListChanged: true }),
        oddValue,
      ),
      task: rarely(oddValue),
      requestState: rarely(oddValue),
    }, { requiredKeys: ["name", "arguments"] }),
  },
  oddValue,
  deepValue,
);
const messages = fc.record({
  jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant("2.0") }, oddValue),
  id: fc.oneof(
    { weight: 8, arbitrary: fc.constant(1) },
    fc.constant(undefined),
    identifiers,
  ),
  method: fc.oneof({ weight: 8, arbitrary: methods }, oddValue),
  params,
  result: rarely(oddValue),
}, { requiredKeys: ["jsonrpc", "id", "method", "params"] });

const sent = fc.oneof(
  {
    weight: 12,
    arbitrary: messages.map((message) => ({
      message,
      body: JSON.stringify(message),
    })),
  },
  { weight: 1, arbitrary: fc.array(messages, { maxLength: 3 }).map(asGarbage) },
  {
    weight: 1,
    arbitrary: bodies.map((body) => ({ message: undefined, body })),
  },
);

function asGarbage(value: unknown) {
  return { message: undefined, body: JSON.stringify(value) };
}

/** Headers: whether they agree with the body, as the newest revision requires, and further ones. */
const headers = fc.record({
  isFitting: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    fc.boolean(),
  ),
  others: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(
      fc.constantFrom(
        "accept",
        "content-type",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
        "last-event-id",
        "origin",
      ),
      fc.oneof(headerValues, revisions),
      { maxKeys: 2 },
    ),
  ),
});

// deno-lint-ignore no-explicit-any -- any JSON value at all, looked into below
type Json = any;

function fit(message: Json): Record<string, string> {
  const { method, params } = message ?? {};
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const candidates = Object.entries({
    "mcp-protocol-version": version,
    "mcp-method": method,
    "mcp-name": params?.name,
  });
  return Object.fromEntries(
    candidates.filter(([_name, value]) =>
      typeof value === "string" && /^[\x21-\x7e]+$/.test(value)
    ),
  );
}

/**
 * Sends random messages and checks every response: its headers, its form by JSON-RPC,
 * and each result of a tool by that of its endpoint.
 */
export async function fuzzMcp(
  { seed, numRuns }: FuzzOptions,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  await fc.assert(
    fc.asyncProperty(
      sent,
      headers,
      async ({ message, body }, { isFitting, others }) => {
        const response = await handler(
          new Request("http://localhost/mcp", {
            method: "POST",
            headers: { ...others, ...(isFitting ? fit(message) : {}) },
            body,
          }),
        );
        const { status } = response;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const answer = await checkResponse(response);
        if (answer !== undefined) await checkMessage(message, answer);
      },
    ),
    { seed, numRuns },
  );
  return statuses;
}

const PING = { jsonrpc: "2.0", id: "the last one", method: "ping" };

/**
 * Sends sessions of random lines to a server over standard input. Each line must get
 * at most one answer, and a valid last line exactly one.
 */
export async function fuzzLines(
  { seed, numRuns }: FuzzOptions,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 8 }), async (messages) => {
      const lines = messages.map(({ body }) => new Blob([body]));
      const input = lines.flatMap((line) => [line, "\n"]);
      const last = JSON.stringify(PING);
      const answers = await sendLines(new Blob([...input, last]));
      // A message may contain line feeds.
      const texts = await Promise.all(lines.map((line) => line.text()));
      const { length } = texts.join("\n").split("\n");
      assert(answers.length <= length + 1, `${answers.length} answers`);
      assertEquals(answers.filter(({ id }) => id === PING.id).length, 1);
      for (const { jsonrpc, result, error } of answers) {
        assertEquals(jsonrpc, "2.0");
        assertEquals(result === undefined, error !== undefined);
        const code = error?.code ?? 0;
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
        assert(!/RangeError|TypeError|internal error/i.test(error?.message));
      }
    }),
    { seed, numRuns },
  );
  return statuses;
}

/** Checks the headers and form of a response, and returns the message in it. */
async function checkResponse(response: Response): Promise<Json> {
  const { status, headers } = response;
  assert([200, 202, 400, 404].includes(status), `status ${status}`);
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("cache-control"), "no-store");
  const text = await response.text();
  if (status === 202) return assertEquals(text, "");
  assertEquals(headers.get("content-type"), "application/json");
  assert(!/RangeError|TypeError|internal error/i.test(text), text);
  return JSON.parse(text);
}

/** Whether a call has an unknown argument. */
function isUnknown(name: string, args: object): boolean {
  const tool = SERVER.tools.find(({ definition }) => definition.name === name);
  // JSON leaves out members that are undefined.
  const names = Object.keys(JSON.parse(JSON.stringify(args)));
  return names.some((arg) => !tool!.argumentNames.includes(arg));
}

/** Checks an answer by the rules of JSON-RPC, and by the tool's endpoint. */
async function checkMessage(message: Json, answer: Json): Promise<void> {
  const { id, jsonrpc, result, error } = answer;
  assertEquals(jsonrpc, "2.0");
  assertEquals(result === undefined, error !== undefined);
  if (id !== null) assertEquals(id, message.id);
  if (error !== undefined) {
    assert(Number.isInteger(error.code) && error.message.length < 20_000);
    return;
  }
  if (message.method !== "tools/call") return;
  const { name, arguments: args = {} } = message.params;
  const { content: [{ text }], structuredContent, isError } = result;
  assertEquals(structuredContent === undefined, isError === true);
  if (!isError) assertEquals(JSON.parse(text), structuredContent);
  if (isUnknown(name, args)) {
    return assert(isError && text.startsWith("unknown argument"), text);
  }
  const path = ENDPOINTS[name];
  if (path === undefined) return;
  const { status, body } = await post(path, args);
  assertEquals(isError === true, status !== 200);
  assertEquals(isError ? { error: text } : structuredContent, body);
}
