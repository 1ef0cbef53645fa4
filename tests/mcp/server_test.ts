/** The server of tools, whose tools and endpoints are the test's. */

import { assert, assertEquals } from "@std/assert";
import {
  InMemoryTransport,
  type JSONRPCMessage,
  Server,
} from "@modelcontextprotocol/server";
import { HttpError } from "../../lib/http/errors.ts";
import {
  MAX_AT_ONCE_BYTES,
  Memory,
  SMALL_BYTES,
} from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { parseMessage } from "../../lib/mcp/message.ts";
import {
  answerMessage,
  createToolServer,
  type Toolbox,
} from "../../lib/mcp/server.ts";
import type { Arguments, Tool } from "../../lib/mcp/tools.ts";
import { replace } from "../_replace.ts";
import { META } from "./_client.ts";

const DEFINITION = {
  name: "doIt",
  title: "Do it",
  description: "Do it.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  annotations: {},
} as const;

/** A toolbox whose only tool notes its arguments and answers what is given. */
function createToolbox(
  answer: () => Response = () => Response.json({ result: 1 }),
): Toolbox & { readonly calls: Arguments[] } {
  const calls: Arguments[] = [];
  const tool: Tool = {
    definition: DEFINITION,
    createRequest(args) {
      calls.push(args);
      return new Request("http://localhost/api/it");
    },
  };
  return {
    version: "1.2.3",
    tools: [tool],
    callEndpoint: () => Promise.resolve(answer()),
    calls,
  };
}

/** Sends a message over HTTP, as one of the newest revision where that is named. */
async function send(
  { method, params = {} }: { method: string; params?: object },
  toolbox: Toolbox,
  isNewest = false,
  memory = new Memory(Infinity),
) {
  const message = {
    jsonrpc: "2.0",
    id: 7,
    method,
    params: isNewest ? { ...params, _meta: META } : params,
  };
  const headers: HeadersInit = isNewest
    ? {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...("name" in params ? { "mcp-name": String(params.name) } : {}),
    }
    : {};
  const response = await answerMessage(
    parseMessage(new TextEncoder().encode(JSON.stringify(message))),
    new Request("http://localhost/mcp", { method: "POST", headers }),
    { toolbox, delivery: { memory, turns: new Turns() } },
  );
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  const { jsonrpc, id, ...answer } = await response.json();
  assertEquals({ jsonrpc, id }, { jsonrpc: "2.0", id: 7 });
  return answer;
}

const INFO = {
  name: "devutils",
  title: "Developer Utilities",
  version: "1.2.3",
};
const INSTRUCTIONS =
  "Exact results for what a language model cannot compute or make up: Base64, hashes, UUIDs, passwords, and the formatting and validation of JSON. Call the tool and give its result unchanged.";

Deno.test("the server says who it is, what it can do and what for", async (t) => {
  await t.step("in the handshake of 2025", async () => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    };
    const answer = await send(
      { method: "initialize", params },
      createToolbox(),
    );
    assertEquals(answer, {
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: INFO,
        instructions: INSTRUCTIONS,
      },
    });
  });
  await t.step("whenever it is asked in the newest revision", async () => {
    const { result } = await send(
      { method: "server/discover" },
      createToolbox(),
      true,
    );
    const { supportedVersions, capabilities, instructions, _meta } = result;
    assertEquals({ supportedVersions, capabilities, instructions, _meta }, {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      _meta: { "io.modelcontextprotocol/serverInfo": INFO },
    });
  });
});

Deno.test("the list of tools is their definitions, which everybody may keep for an hour", async () => {
  const legacy = await send({ method: "tools/list" }, createToolbox());
  assertEquals(legacy, { result: { tools: [DEFINITION] } });
  const { result } = await send(
    { method: "tools/list" },
    createToolbox(),
    true,
  );
  const { tools, ttlMs, cacheScope } = result;
  assertEquals({ tools, ttlMs, cacheScope }, {
    tools: [DEFINITION],
    ttlMs: 3_600_000,
    cacheScope: "public",
  });
});

/** A call of the only tool. */
function callIt(args?: unknown) {
  const params = args === undefined
    ? { name: "doIt" }
    : { name: "doIt", arguments: args };
  return { method: "tools/call", params };
}

for (const isNewest of [false, true]) {
  const revision = isNewest ? "newest revision" : "2025";

  Deno.test(`a call has the arguments that came, and none where none came, ${revision}`, async () => {
    const toolbox = createToolbox();
    for (const args of [undefined, {}, { a: [1] }]) {
      const { result } = await send(callIt(args), toolbox, isNewest);
      const { content, structuredContent, isError } = result;
      assertEquals({ content, structuredContent, isError }, {
        content: [{ type: "text", text: '{"result":1}' }],
        structuredContent: { result: 1 },
        isError: undefined,
      });
    }
    assertEquals(toolbox.calls, [{}, {}, { a: [1] }]);
  });

  Deno.test(`what the endpoint refuses is the tool's error, ${revision}`, async () => {
    const toolbox = createToolbox(() =>
      Response.json({ error: "no" }, { status: 400 })
    );
    const { result } = await send(callIt({}), toolbox, isNewest);
    const { content, structuredContent, isError } = result;
    assertEquals({ content, structuredContent, isError }, {
      content: [{ type: "text", text: "no" }],
      structuredContent: undefined,
      isError: true,
    });
  });
}

Deno.test("arguments that cannot be written are the tool's error, and a fault of the service is the server's", async (t) => {
  async function call(error: Error) {
    const toolbox = createToolbox();
    const [tool] = toolbox.tools;
    const createRequest = () => {
      throw error;
    };
    return await send(callIt({}), {
      ...toolbox,
      tools: [{ ...tool!, createRequest }],
    });
  }
  await t.step("nested too deeply", async () => {
    const { result } = await call(new RangeError("the stack is full"));
    assertEquals(result, {
      content: [{
        type: "text",
        text: "the arguments must not be nested so deeply",
      }],
      isError: true,
    });
  });
  await t.step("a fault", async () => {
    const { result, error } = await call(new TypeError("odd"));
    assertEquals([result, error.code], [undefined, -32603]);
  });
});

/** A result of so many bytes as JSON. */
function createText(byteLength: number): string {
  const start = '{"result":"';
  return `${start}${"x".repeat(byteLength - start.length - 2)}"}`;
}

type Call = NonNullable<Parameters<typeof createToolServer>[1]>;

/** Calls the tool past HTTP, and returns the result as the package was given it. */
async function callDirectly(toolbox: Toolbox, call?: Call): Promise<unknown> {
  const server = createToolServer(toolbox, call);
  const [client, transport] = InMemoryTransport.createLinkedPair();
  await server.connect(transport);
  const answer = Promise.withResolvers<JSONRPCMessage>();
  client.onmessage = answer.resolve;
  await client.start();
  await client.send({ jsonrpc: "2.0", id: 1, ...callIt({ a: 1 }) });
  const { result } = await answer.promise as { result: unknown };
  await server.close();
  return result;
}

Deno.test("a result goes past the package where it is large and comes over HTTP", async (t) => {
  const rows = [
    ["large, over HTTP", MAX_AT_ONCE_BYTES + 1, true, true],
    ["not large, over HTTP", MAX_AT_ONCE_BYTES, true, false],
    ["large, of a local client", MAX_AT_ONCE_BYTES + 1, false, false],
  ] as const;
  for (const [name, byteLength, isHttp, isPast] of rows) {
    await t.step(name, async () => {
      const text = createText(byteLength);
      const call: Call | undefined = isHttp ? { args: {} } : undefined;
      const toolbox = createToolbox(() => new Response(text));
      const result = await callDirectly(toolbox, call);
      const whole = {
        content: [{ type: "text", text }],
        structuredContent: JSON.parse(text),
      };
      assertEquals(call?.largeResult !== undefined, isPast);
      assertEquals(toolbox.calls, [isHttp ? {} : { a: 1 }]);
      assertEquals(result, isPast ? call!.largeResult!.standIn : whole);
    });
  }
});

Deno.test("a large result comes over HTTP as it is", async () => {
  const text = createText(MAX_AT_ONCE_BYTES + 1);
  const toolbox = createToolbox(() => new Response(text));
  const { result } = await send(callIt({}), toolbox);
  assertEquals(result, {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text),
  });
});

Deno.test("whatever else is large is counted, too, and refused where there is no room", async () => {
  const toolbox = createToolbox();
  const [tool] = toolbox.tools;
  const description = "x".repeat(SMALL_BYTES);
  const definition = { ...tool!.definition, description };
  const large = { ...toolbox, tools: [{ ...tool!, definition }] };
  const list = { method: "tools/list" };
  const { result } = await send(list, large);
  assertEquals(result, { tools: [definition] });
  const error = await send(list, large, false, new Memory(0))
    .catch((error) => error);
  assert(error instanceof HttpError);
  assertEquals(error.status, 503);
});

Deno.test("a tool that is not there is the client's fault", async () => {
  for (const isNewest of [false, true]) {
    const params = { name: "hashIt", arguments: {} };
    const { error } = await send(
      { method: "tools/call", params },
      createToolbox(),
      isNewest,
    );
    assertEquals(error, { code: -32602, message: 'unknown tool: "hashIt"' });
  }
});

Deno.test("each message of a client of 2025 has a server of its own, which is closed", async () => {
  const closed = new Set<Server>();
  const { close } = Server.prototype;
  using _ = replace(Server.prototype, {
    close(this: Server) {
      closed.add(this);
      return close.call(this);
    },
  });
  for (let count = 1; count <= 3; count += 1) {
    await send(callIt({}), createToolbox());
    assertEquals(closed.size, count);
  }
});
