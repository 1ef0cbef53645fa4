/** What is a message to `/mcp`, and how large one may be. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  MAX_CHARACTERS,
  MAX_VALUES,
  type Message,
  parseMessage,
} from "../../lib/mcp/message.ts";
import { assertRefused, call, createTestHandler } from "../_client.ts";
import { replace } from "../_replace.ts";
import { send } from "./_client.ts";

Deno.test("POST /mcp takes a message from curl -d: no header is needed", async () => {
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

Deno.test("parseMessage() puts the arguments of a call aside, and leaves the rest as it is", async (t) => {
  const args = { a: [1, { b: null }] };
  const whole = [
    { id: 1 },
    { params: { name: "x" } },
    { params: { arguments: [1] } },
    { params: { arguments: null } },
    { params: { arguments: "x" } },
    { params: [{ arguments: args }] },
    { params: null },
    { arguments: args },
  ];
  const rows: [message: object, envelope: object, args: unknown][] = [
    [
      { id: 1, params: { name: "x", arguments: args } },
      { id: 1, params: { name: "x", arguments: {} } },
      args,
    ],
    [{ params: { arguments: {} } }, { params: { arguments: {} } }, {}],
  ];
  for (const message of whole) rows.push([message, message, undefined]);
  for (const [message, envelope, args] of rows) {
    const text = JSON.stringify(message);
    await t.step(text, () => {
      const body = new TextEncoder().encode(text);
      assertEquals(parseMessage(body), {
        envelope,
        args,
        byteLength: text.length,
      } as Message);
    });
  }
});

Deno.test("POST /mcp answers what is no message as JSON-RPC does", async (t) => {
  const tooLarge =
    `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const rows: readonly [
    name: string,
    message: unknown,
    code: number,
    text: string,
  ][] = [
    [
      "nothing",
      "",
      -32700,
      "the body must be JSON: expected a JSON value, got the end of the text at line 1, column 1",
    ],
    [
      "garbage",
      "{]",
      -32700,
      'the body must be JSON: expected a name in double quotes, got "]" at line 1, column 2',
    ],
    [
      "a broken encoding",
      new Blob([new Uint8Array([0x22, 0xff, 0x22])]),
      -32700,
      "the body must be UTF-8",
    ],
    [
      "a batch",
      [ping],
      -32600,
      "the body must be one JSON-RPC message, got an array",
    ],
    [
      "an empty batch",
      [],
      -32600,
      "the body must be one JSON-RPC message, got an array",
    ],
    ["a number", 5, -32600, "the body must be one JSON-RPC message, got 5"],
    ["null", null, -32600, "the body must be one JSON-RPC message, got null"],
    [
      "a huge identifier",
      { ...ping, id: "x".repeat(MAX_CHARACTERS) },
      -32600,
      tooLarge,
    ],
    [
      "a huge name",
      { ...ping, params: { ["x".repeat(MAX_CHARACTERS)]: 1 } },
      -32600,
      tooLarge,
    ],
    [
      "many values",
      { ...ping, params: Array(MAX_VALUES).fill(1) },
      -32600,
      tooLarge,
    ],
    [
      "arguments that are a list",
      { ...ping, params: { arguments: Array(MAX_VALUES).fill(1) } },
      -32600,
      tooLarge,
    ],
    [
      "deep nesting",
      `{"params":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
      -32600,
      tooLarge,
    ],
  ];
  for (const [name, message, code, text] of rows) {
    await t.step(name, async () => {
      assertEquals(await send(message), {
        status: 400,
        body: { jsonrpc: "2.0", id: null, error: { code, message: text } },
      });
    });
  }
});

Deno.test("docs/agents.md names the limits that the code has", async () => {
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

Deno.test("POST /mcp takes what is just not too large", async () => {
  const id = "x".repeat(
    MAX_CHARACTERS - "jsonrpc2.0idmethodpingparamsa".length,
  );
  // The message itself, its four members, and the list.
  const params = { a: Array(MAX_VALUES - 6).fill(1) };
  const ping = { jsonrpc: "2.0", id, method: "ping", params };
  assertEquals(await send(ping), {
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

Deno.test("POST /mcp takes null wherever it stands", async () => {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "ping",
    params: { a: null, b: [null] },
  };
  assertEquals(await send(message), {
    status: 200,
    body: { jsonrpc: "2.0", id: 1, result: {} },
  });
});

Deno.test("a fault of the service's own is not blamed on the message", () => {
  // As for a text that is longer than the runtime can have.
  using _ = replace(TextDecoder.prototype, {
    decode() {
      throw new RangeError("too long");
    },
  });
  assertThrows(() => parseMessage(new Uint8Array()), RangeError, "too long");
});

Deno.test("POST /mcp bounds bodies as every endpoint does", async () => {
  const handler = createTestHandler({ maxBodyBytes: 100 });
  const body = JSON.stringify({ x: "x".repeat(100) });
  assertRefused(
    await call("/mcp", { method: "POST", body, handler }),
    413,
    "the body must be at most 100 bytes",
  );
});
