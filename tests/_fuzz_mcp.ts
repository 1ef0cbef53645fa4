/** Valid and invalid messages to `/mcp`; see `_fuzz.ts`. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHandler } from "../routes/mod.ts";
import { SERVER } from "../routes/mcp.ts";
import { post } from "./_client.ts";
import {
  bodies,
  fields,
  type FuzzOptions,
  headerValues,
  mostly,
  oddValue,
  shapedFields,
  type Statuses,
  words,
} from "./_fuzz.ts";
import { checkResponse, fitHeaders, META, sendLines } from "./mcp/_client.ts";

const handler = createHandler();

/** The endpoints with reproducible results, by the names of their tools. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  convertBase64: "/api/base64",
  hashText: "/api/hash",
  processJson: "/api/json",
};

const absent = fc.constant(undefined);
const revisions = mostly(
  fc.constant("2026-07-28"),
  words("2025-11-25 2025-06-18 2025-03-26 2024-11-05 2030-01-01 x"),
);
const deepValue = fc.integer({ min: 1, max: 2_000 }).map((depth) =>
  JSON.parse("[".repeat(depth) + "]".repeat(depth))
);
const args = fc.oneof(
  { weight: 8, arbitrary: fields },
  { weight: 1, arbitrary: shapedFields },
  {
    weight: 3,
    arbitrary: fc.dictionary(
      words("count length symbols uppercase ambiguous"),
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
  "io.modelcontextprotocol/clientInfo": mostly(
    fc.constant({ name: "fuzz", version: "1" }),
  ),
  "io.modelcontextprotocol/clientCapabilities": mostly(
    fc.constant({}),
    fc.oneof(oddValue, deepValue),
  ),
  progressToken: fc.oneof(fc.nat(), absent, oddValue),
}, { requiredKeys: Object.keys(META) as (keyof typeof META)[] });

const params = mostly(
  fc.record({
    name: mostly(
      words(
        "convertBase64 hashText generateUuids generatePassword processJson",
      ),
      words("mcp health constructor __proto__ 😀"),
    ),
    arguments: args,
    _meta: mostly(meta),
    protocolVersion: revisions,
    capabilities: fc.oneof(fc.constant({}), oddValue),
    clientInfo: fc.constant({ name: "fuzz", version: "1" }),
    notifications: fc.oneof(fc.constant({ toolsListChanged: true }), oddValue),
    task: mostly(absent),
    requestState: mostly(absent),
  }, { requiredKeys: ["name", "arguments"] }),
  fc.oneof(oddValue, deepValue),
);
const messages = fc.record({
  jsonrpc: fc.oneof({ weight: 20, arbitrary: fc.constant("2.0") }, oddValue),
  id: fc.oneof(
    { weight: 8, arbitrary: fc.constant(1) },
    absent,
    fc.oneof(fc.nat(), fc.string(), oddValue),
    fc.constantFrom(-1, 1.5, 1e300, 2 ** 53, true, "x".repeat(70_000)),
  ),
  method: fc.oneof(
    { weight: 16, arbitrary: fc.constant("tools/call") },
    words(
      "tools/list initialize ping server/discover subscriptions/listen notifications/initialized notifications/cancelled logging/setLevel completion/complete resources/list prompts/get tasks/get constructor",
    ),
    oddValue,
  ),
  params,
  result: mostly(absent),
});

// deno-lint-ignore no-explicit-any -- any JSON value
type Json = any;

/** A message, or bytes that are not a message. */
const sent: fc.Arbitrary<{ message?: Json; body: BlobPart }> = fc.oneof(
  {
    weight: 12,
    arbitrary: messages.map((message) => ({
      message,
      body: JSON.stringify(message),
    })),
  },
  fc.array(messages, { maxLength: 3 }).map((batch) => ({
    body: JSON.stringify(batch),
  })),
  bodies.map((body) => ({ body })),
);

/** Whether headers agree with the body, as the newest revision requires, and further ones. */
const headers = fc.record({
  isFitting: fc.oneof(fc.constant(true), fc.boolean()),
  others: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(
      words(
        "accept content-type mcp-protocol-version mcp-method mcp-name mcp-session-id last-event-id origin",
      ),
      fc.oneof(headerValues, revisions),
      { maxKeys: 2 },
    ),
  ),
});

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
            headers: { ...others, ...(isFitting ? fitHeaders(message) : {}) },
            body: new Blob([body]),
          }),
        );
        const { status, body: answer } = await checkResponse(response);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        assert([200, 202, 400, 404].includes(status), `status ${status}`);
        assertEquals(answer === undefined, status === 202);
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
      const input = new Blob(messages.flatMap(({ body }) => [body, "\n"]));
      const answers = await sendLines(new Blob([input, JSON.stringify(PING)]));
      // A message may contain line feeds.
      const { length } = (await input.text()).split("\n");
      assert(answers.length <= length, `${answers.length} answers`);
      assertEquals(answers.filter(({ id }) => id === PING.id).length, 1);
      for (const answer of answers) {
        checkForm(answer);
        const code = answer.error?.code ?? 0;
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
      }
    }),
    { seed, numRuns },
  );
  return statuses;
}

/** Checks an answer by the rules of JSON-RPC. */
function checkForm({ jsonrpc, result, error }: Json): void {
  assertEquals(jsonrpc, "2.0");
  assertEquals(result === undefined, error !== undefined);
  if (error === undefined) return;
  assert(Number.isInteger(error.code) && error.message.length < 20_000);
  assert(!/RangeError|TypeError|internal error/i.test(error.message));
}

/** Checks an answer by its message, and a result by the tool's endpoint. */
async function checkMessage(message: Json, answer: Json): Promise<void> {
  checkForm(answer);
  const { id, result, error } = answer;
  // Bytes that are not a message may have an identifier by chance.
  if (message === undefined) return assert(error !== undefined);
  if (id !== null) assertEquals(id, message.id);
  if (error !== undefined || message.method !== "tools/call") return;
  const { name } = message.params;
  // JSON leaves out members that are undefined, and has no infinite numbers.
  const args = JSON.parse(JSON.stringify(message.params)).arguments ?? {};
  const { content: [{ text }], structuredContent, isError } = result;
  assertEquals(structuredContent === undefined, isError === true);
  if (!isError) assertEquals(JSON.parse(text), structuredContent);
  const tool = SERVER.tools.find((tool) => tool.name === name)!;
  if (typeof args !== "object" || Array.isArray(args)) {
    return assert(text.startsWith('"arguments" must be an object, got '), text);
  }
  const names = Object.keys(args);
  if (names.some((name) => !Object.hasOwn(tool.properties, name))) {
    return assert(isError && text.startsWith("unknown argument"), text);
  }
  const path = ENDPOINTS[name];
  if (path === undefined) return;
  // `null` for an optional argument means that it is absent.
  const given = Object.entries(args).filter(([name, value]) =>
    value !== null || !["variant", "indent"].includes(name)
  );
  const { status, body } = await post(path, Object.fromEntries(given));
  const isTooLarge = text.startsWith("the result would have");
  assertEquals(isError === true, status !== 200 || isTooLarge);
  if (!isTooLarge) {
    assertEquals(isError ? { error: text } : structuredContent, body);
  }
}
