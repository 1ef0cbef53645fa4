/** Messages that are accepted or rejected by their form or size. */

import { assert, assertEquals } from "@std/assert";
import { MAX_CHARACTERS, MAX_VALUES } from "../../lib/mcp/message.ts";
import { send, TRANSPORTS } from "./_client.ts";

Deno.test("POST /mcp accepts a message from curl -d, without the protocol's headers", async () => {
  const { status, body } = await send(
    {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: {
        name: "convertBase64",
        arguments: { action: "encode", input: "a" },
      },
    },
    { "content-type": "application/x-www-form-urlencoded", accept: "*/*" },
  );
  assertEquals({ status, body }, {
    status: 200,
    body: {
      jsonrpc: "2.0",
      id: 7,
      result: {
        content: [{ type: "text", text: '{"result":"YQ=="}' }],
        structuredContent: { result: "YQ==" },
      },
    },
  });
});

const TOO_LARGE =
  `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`;

for (const [transport, exchange] of TRANSPORTS) {
  Deno.test(`a message that is too large besides the arguments of a call is rejected, ${transport}`, async (t) => {
    const ping = { jsonrpc: "2.0", id: 7, method: "ping" };
    const rows: readonly [name: string, message: unknown, id: unknown][] = [
      [
        "a huge identifier",
        { ...ping, id: "x".repeat(MAX_CHARACTERS + 1) },
        null,
      ],
      [
        "a huge name",
        { ...ping, params: { ["x".repeat(MAX_CHARACTERS)]: 1 } },
        7,
      ],
      ["many values", { ...ping, params: Array(MAX_VALUES).fill(1) }, 7],
      [
        "arguments that are a list",
        { ...ping, params: { arguments: Array(MAX_VALUES).fill(1) } },
        7,
      ],
      [
        "deep nesting",
        `{"params":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
        null,
      ],
    ];
    for (const [name, message, id] of rows) {
      await t.step(name, async () => {
        assertEquals(await exchange(message), {
          jsonrpc: "2.0",
          id,
          error: { code: -32600, message: TOO_LARGE },
        });
      });
    }
  });
}

Deno.test("POST /mcp answers an empty body with a parse error", async () => {
  const { status, body } = await send("");
  assertEquals({ status, body }, {
    status: 400,
    body: {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32700,
        message:
          "a message must be JSON: expected a JSON value, got the end of the text at line 1, column 1",
      },
    },
  });
});

Deno.test("docs/agents.md states the limits of the code", async () => {
  const page = await Deno.readTextFile(
    new URL("../../docs/agents.md", import.meta.url),
  );
  const claim = `A message may have ${
    MAX_VALUES.toLocaleString("en")
  } values and ${
    MAX_CHARACTERS.toLocaleString("en")
  } characters besides the arguments`;
  assert(page.replaceAll(/\s+/g, " ").includes(claim), claim);
});

Deno.test("POST /mcp accepts a message of exactly the largest size", async () => {
  const id = "x".repeat(
    MAX_CHARACTERS - "jsonrpc2.0idmethodpingparamsa".length,
  );
  // Six values are not in the list: the message, its four members, and the list itself.
  const params = { a: Array(MAX_VALUES - 6).fill(1) };
  const ping = { jsonrpc: "2.0", id, method: "ping", params };
  const { status, body } = await send(ping);
  assertEquals({ status, body }, {
    status: 200,
    body: { jsonrpc: "2.0", id, result: {} },
  });
  for (
    const larger of [
      { ...ping, id: `${id}x` },
      { ...ping, params: { a: [...params.a, 1] } },
    ]
  ) {
    assertEquals((await send(larger)).status, 400);
  }
});

Deno.test("POST /mcp accepts null as a member of params", async () => {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "ping",
    params: { a: null, b: [null] },
  };
  const { status, body } = await send(message);
  assertEquals({ status, body }, {
    status: 200,
    body: { jsonrpc: "2.0", id: 1, result: {} },
  });
});
