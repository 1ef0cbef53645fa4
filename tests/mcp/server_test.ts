/** The server of tools, whose tools are the test's. */

import { assert, assertEquals } from "@std/assert";
import { Server } from "@modelcontextprotocol/server";
import { HttpError } from "../../lib/http_error.ts";
import type { Fields } from "../../lib/http/input.ts";
import { SMALL_BYTES } from "../../lib/load/budget.ts";
import type { ToolResult } from "../../lib/mcp/call.ts";
import { parseMessage } from "../../lib/mcp/message.ts";
import { answerMessage, type Toolbox } from "../../lib/mcp/server.ts";
import type { Tool } from "../../lib/mcp/tools.ts";
import { runAtOnce } from "../../lib/work.ts";
import { createContext } from "../_context.ts";
import { replace } from "../_replace.ts";
import { createToolError, META } from "./_client.ts";

const INSTRUCTIONS = "Do it.";

const DEFINITION = {
  name: "doIt",
  title: "Do it",
  description: "Do it.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  annotations: {},
} as const;

const TOOL: Tool = {
  definition: DEFINITION,
  method: "GET",
  path: "/api/it",
  argumentNames: [],
  hasBody: false,
};

const RESULT: ToolResult = { text: '{"result":1}', isError: false };

/** A toolbox whose only tool notes its arguments and has the result that is given. */
function createToolbox(
  result = RESULT,
): Toolbox & { readonly calls: Fields[] } {
  const calls: Fields[] = [];
  return {
    texts: {
      name: "it",
      title: "It",
      description: "Does it.",
      instructions: INSTRUCTIONS,
    },
    version: "1.2.3",
    websiteUrl: "https://example.com",
    tools: [TOOL],
    callTool(tool, args) {
      assertEquals(tool, TOOL);
      calls.push(args);
      return Promise.resolve(result);
    },
    calls,
  };
}

/** Sends a message over HTTP, as one of the newest revision where that is named. */
async function send(
  { method, params = {} }: { method: string; params?: object },
  toolbox: Toolbox,
  isNewest = false,
  budgetBytes = Infinity,
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
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers,
  });
  const response = await answerMessage(
    runAtOnce(parseMessage(bytes)),
    request,
    { toolbox, load: createContext(request, budgetBytes) },
  );
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  const { jsonrpc, id, ...answer } = await response.json();
  assertEquals({ jsonrpc, id }, { jsonrpc: "2.0", id: 7 });
  return answer;
}

const INFO = {
  name: "it",
  title: "It",
  description: "Does it.",
  version: "1.2.3",
  websiteUrl: "https://example.com",
};

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

  Deno.test(`a result that is an error is passed on, ${revision}`, async () => {
    const failure = createToolError("no");
    const toolbox = createToolbox({ text: "no", isError: true });
    const { result } = await send(callIt({}), toolbox, isNewest);
    const { content, structuredContent, isError } = result;
    assertEquals({ content, structuredContent, isError }, {
      ...failure,
      structuredContent: undefined,
    });
  });
}

Deno.test("whatever else is large is counted, too, and refused where there is no room", async () => {
  const description = "x".repeat(SMALL_BYTES);
  const definition = { ...DEFINITION, description };
  const large = { ...createToolbox(), tools: [{ ...TOOL, definition }] };
  const list = { method: "tools/list" };
  const { result } = await send(list, large);
  assertEquals(result, { tools: [definition] });
  const error = await send(list, large, false, 0)
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
    assertEquals(error, {
      code: -32602,
      message: 'unknown tool: "hashIt", the tools are doIt',
    });
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
