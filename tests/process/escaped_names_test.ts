/**
 * A name with an escape sequence is read alike, whatever a stranger has sent before. V8's
 * `JSON.parse()` returns such a name as one of an earlier text, so the answers are compared
 * with those of a service that no stranger has called.
 */

import { assertEquals } from "@std/assert";
import { readCommand, run, startServer } from "../_server.ts";
import { fetchWithin } from "../_within.ts";

/** Members as PHP and others write them, and the body of a stranger that displaces them. */
const ROWS = [
  {
    name: "an escaped letter",
    path: "/api/json",
    body: String.raw`{"action":"format","input":"[1]","\u0069ndent":4}`,
    stranger: String.raw`{"action":"format","input":"[1]","\\u0069":0}`,
    answer: String.raw`{"result":"[\n    1\n]","valid":true}`,
  },
  {
    name: "an escaped slash, as PHP writes it",
    path: "/mcp",
    body: String
      .raw`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":0,"io.modelcontextprotocol\/protocolVersion":"2030-01-01"}}}`,
    stranger: String
      .raw`{"jsonrpc":"2.0","method":"x","params":{"_meta":{"a":0,"io.modelcontextprotocol\\/protocolVersio":0}}}`,
    answer: String
      .raw`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version: \"2030-01-01\"","data":{"supported":["2026-07-28"],"requested":"2030-01-01"}}}`,
  },
];

const HEADERS = { "mcp-protocol-version": "2030-01-01", "mcp-method": "ping" };

Deno.test("one request does not change how the service reads the names in others", async (t) => {
  await using server = await startServer();
  for (const { name, path, body, stranger, answer } of ROWS) {
    const post = async (body: string) => {
      const headers = path === "/mcp" ? HEADERS : {};
      const url = `${server.origin}${path}`;
      const response = await fetchWithin(url, {
        method: "POST",
        headers,
        body,
      });
      return (await response.text()).trimEnd();
    };
    await t.step(name, async () => {
      assertEquals(await post(body), answer);
      for (let i = 0; i < 3; i += 1) await post(stranger);
      assertEquals(await post(body), answer);
    });
  }
});

Deno.test("one message does not change how the names in others are read over standard input", async () => {
  const { body, stranger, answer } = ROWS[1]!;
  const command = [Deno.execPath(), ...readCommand("mcp").slice(1)];
  const input = [body, stranger, stranger, body].map((line) => `${line}\n`)
    .join("");
  const { output } = await run(command, { input });
  const answers = output.split("\n").slice(0, -1);
  assertEquals(answers, [answer, answer]);
});
