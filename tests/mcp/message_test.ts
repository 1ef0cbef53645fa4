/** Messages that are accepted or rejected by their form or size. */

import { assert, assertEquals } from "@std/assert";
import { MAX_CHARACTERS, MAX_VALUES } from "../../lib/mcp/message.ts";
import { callTool, send, TRANSPORTS } from "./_client.ts";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

Deno.test("POST /mcp accepts a message from curl -d, without the protocol's headers", async () => {
  const { status, body } = await send(
    callTool("convertBase64", { action: "encode", input: "a" }),
    { "content-type": "application/x-www-form-urlencoded", accept: "*/*" },
  );
  assertEquals([status, body.result], [200, {
    content: [{ type: "text", text: '{"result":"YQ=="}' }],
    structuredContent: { result: "YQ==" },
  }]);
});

Deno.test("POST /mcp accepts strings of digits anywhere", async () => {
  const id = "12345678";
  for (const input of [id, id.repeat(5_000)]) {
    const message = callTool("convertBase64", { action: "encode", input });
    const { params } = message;
    const _meta = { [id]: [{ __proto__: null, a: id, progressToken: 1.5 }] };
    const sent = { ...message, id, params: { ...params, _meta } };
    const { status, body } = await send(sent);
    assertEquals([status, body.id], [200, id]);
    const { structuredContent } = body.result;
    assertEquals(structuredContent, { result: btoa(input) });
  }
});

/** Messages that are too large besides the arguments of a call, and the identifiers of their errors. */
const TOO_LARGE: readonly (readonly [
  name: string,
  message: unknown,
  id: unknown,
])[] = [
  ["identifier", { ...PING, id: "x".repeat(MAX_CHARACTERS + 1) }, null],
  ["list with digits", {
    ...PING,
    params: [..."12345678".split(""), "12345678", ...Array(MAX_VALUES).fill(1)],
  }, 7],
  ["name", { ...PING, params: { ["x".repeat(MAX_CHARACTERS)]: 1 } }, 7],
  ["list", { ...PING, params: Array(MAX_VALUES).fill(1) }, 7],
  [
    "list of arguments",
    { ...PING, params: { arguments: Array(MAX_VALUES).fill(1) } },
    7,
  ],
  [
    "nesting",
    `{"params":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
    null,
  ],
];

for (const [transport, exchange] of TRANSPORTS) {
  Deno.test(`a message that is too large besides the arguments of a call is rejected, ${transport}`, async (t) => {
    for (const [name, message, id] of TOO_LARGE) {
      await t.step(name, async () => {
        const error = {
          code: -32600,
          message:
            `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`,
        };
        assertEquals(await exchange(message), { jsonrpc: "2.0", id, error });
      });
    }
  });
}

Deno.test("docs/agents.md states the limits of the code", async () => {
  const page = await Deno.readTextFile("docs/agents.md");
  const [values, characters] = [MAX_VALUES, MAX_CHARACTERS]
    .map((limit) => limit.toLocaleString("en"));
  const claim =
    `A message may have ${values} values and ${characters} characters besides the arguments`;
  assert(page.replaceAll(/\s+/g, " ").includes(claim), claim);
});

Deno.test("POST /mcp accepts a message of exactly the largest size, and null as a member of params", async () => {
  const id = "x".repeat(
    MAX_CHARACTERS - "jsonrpc2.0idmethodpingparamsab".length,
  );
  // Seven values are not in the list: the message, its four members, the list and null.
  const params = { a: Array(MAX_VALUES - 7).fill(1), b: null };
  const { status, body } = await send({ ...PING, id, params });
  assertEquals([status, body], [200, { jsonrpc: "2.0", id, result: {} }]);
  for (
    const larger of [
      { ...PING, id: `${id}x`, params },
      { ...PING, id, params: { ...params, a: [...params.a, 1] } },
    ]
  ) {
    assertEquals((await send(larger)).status, 400);
  }
});
