/**
 * The command-line program. It runs an HTTP server, an MCP server for a local agent, or a command.
 *
 * ```sh
 * deno run --allow-net --allow-env jsr:@devutils/service/cli serve --port 9000
 * ```
 *
 * @module
 */

import { onStopSignal } from "./lib/process/signals.ts";

// With `deno task start -- --port 9000`, the program also receives the `--`.
const args = Deno.args[0] === "--" ? Deno.args.slice(1) : Deno.args;

// Options without a command apply to `serve`, except `--help`, which lists all commands.
const [first = "serve", ...otherArgs] = args;
const isServeOption = first.startsWith("-") && first !== "--help" &&
  first !== "-h";
const command = isServeOption ? "serve" : first;
const commandArgs = isServeOption ? args : otherArgs;

// Each command imports only the modules that it needs, so that it starts fast.
if (command === "serve") {
  const { runServe } = await import("./lib/process/program.ts");
  await runServe(commandArgs, {
    module: import.meta.url,
    async createHandler(options) {
      const { createRoutes } = await import("./routes/map.ts");
      const { createRequestHandler } = await import("./lib/http/handler.ts");
      const load = await import("./lib/load/mod.ts");
      const { maxBodyBytes, logRequests, shutdown } = options;
      const isShuttingDown = () => shutdown.aborted;
      return createRequestHandler({
        routes: createRoutes({ maxBodyBytes, isShuttingDown }),
        runWithBody: load.createAdmissionControl(options),
        logRequests,
      });
    },
  });
} else if (command === "mcp") {
  // Listen before loading the modules, because a client might stop `mcp` immediately.
  onStopSignal(() => Deno.exit(0));
  const { runMcp } = await import("./lib/process/program.ts");
  await runMcp(commandArgs, async () => {
    const { MCP_SERVER } = await import("./routes/mcp.ts");
    const { serveAgent } = await import("./lib/mcp/stdio.ts");
    return (maxBytes) => serveAgent(MCP_SERVER, maxBytes);
  });
} else {
  const operations = await import("./routes/operations.ts");
  const { runCommand } = await import("./lib/terminal/mod.ts");
  await runCommand(args, operations);
}
