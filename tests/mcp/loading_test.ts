import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { ROUTES } from "../../routes/mod.ts";
import { startArguments, startProcess } from "../_server.ts";

/** Replaces the official package: importing it fails. */
const PACKAGE = 'data:text/javascript,throw "loaded"';

Deno.test("the official package is not loaded before /mcp is called", async () => {
  const imports = {
    ...config.imports,
    "@modelcontextprotocol/server": PACKAGE,
  };
  const map = encodeURIComponent(JSON.stringify({ imports }));
  const flags = ["--no-lock", `--import-map=data:application/json,${map}`];
  const [run, ...args] = startArguments();
  await using server = await startProcess(
    [Deno.execPath(), run!, ...flags, ...args],
    { HOST: "127.0.0.1", PORT: "0" },
  );
  async function send(path: string, init: RequestInit = {}): Promise<number> {
    const response = await fetch(`${server.origin}${path}`, init);
    await response.body?.cancel();
    return response.status;
  }
  for (const { pattern: { pathname }, method } of ROUTES) {
    const init = method === "GET" ? {} : { method, body: "{]" };
    assertEquals(await send(pathname, init), method === "GET" ? 200 : 400);
  }
  const call = {
    method: "POST",
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  };
  assertEquals(await send("/mcp", call), 500);
});
