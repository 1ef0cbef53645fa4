import { assert } from "@std/assert";
import importMap from "../../imports.json" with { type: "json" };
import { ROUTES } from "../../routes/mod.ts";
import { startArguments, startProcess, waitFor } from "../_server.ts";

/** Replaces the official package: logs that it was loaded, and cannot answer. */
const PACKAGE = `
  console.error("loaded");
  export class ProtocolError {}
  export {
    ProtocolError as createMcpHandler,
    ProtocolError as isLegacyRequest,
    ProtocolError as ProtocolErrorCode,
    ProtocolError as Server,
    ProtocolError as WebStandardStreamableHTTPServerTransport,
  };
`;

Deno.test("the official package is not loaded before /mcp is called", async () => {
  const stubbed = {
    ...importMap.imports,
    "@modelcontextprotocol/server": `data:text/javascript,${
      encodeURIComponent(PACKAGE)
    }`,
  };
  const map = encodeURIComponent(JSON.stringify({ imports: stubbed }));
  const [run, ...args] = startArguments();
  await using server = await startProcess([
    Deno.execPath(),
    run!,
    "--no-lock",
    "--cached-only",
    `--import-map=data:application/json,${map}`,
    ...args,
  ], { HOST: "127.0.0.1", PORT: "0", LOG_REQUESTS: "true" });
  async function fetchAndDrop(path: string, init: RequestInit = {}) {
    const response = await fetch(`${server.origin}${path}`, init);
    await response.body?.cancel();
  }
  for (const { pattern: { pathname }, method } of ROUTES) {
    if (pathname === "/mcp") continue;
    const init = method === "GET" ? {} : { method, body: "{}" };
    await fetchAndDrop(pathname, init);
  }
  for (
    const init of [{}, { method: "POST", body: "{]" }, { method: "OPTIONS" }]
  ) {
    await fetchAndDrop("/mcp", init);
  }
  await fetchAndDrop("/mcp", { method: "POST", body: "{}" });
  await waitFor(() => server.log().includes('"POST" "/mcp" 500'));
  const lines = server.log().split("\n");
  const isLoaded = lines.indexOf("loaded");
  const last = lines.findIndex((line) =>
    line.startsWith('"OPTIONS" "/mcp" 204')
  );
  assert(last > ROUTES.length && isLoaded > last, server.log());
});
