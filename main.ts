/**
 * The command-line program: an HTTP server, an MCP server for a local agent, or one command.
 *
 * ```sh
 * deno run --allow-net --allow-env jsr:@devutils/service/cli serve --port 9000
 * ```
 *
 * @module
 */

import { onStopSignal } from "./lib/process/signals.ts";

// `deno task start -- --port 9000` also passes the `--` to the program.
const args = Deno.args[0] === "--" ? Deno.args.slice(1) : Deno.args;

// The default command is `serve`, but `--help` lists all commands.
const [first = "serve", ...otherArgs] = args;
const isServeOption = first.startsWith("-") && first !== "--help" &&
  first !== "-h";
const command = isServeOption ? "serve" : first;
const commandArgs = isServeOption ? args : otherArgs;

// Each command imports only its own modules, so it starts fast.
if (command === "serve") {
  const { runServe } = await import("./lib/process/program.ts");
  await runServe(commandArgs, {
    module: import.meta.url,
    async createHandler(options) {
      const [{ createRoutes }, { createRequestHandler }, load] = await Promise
        .all([
          import("./routes/map.ts"),
          import("./lib/http/handler.ts"),
          import("./lib/load/mod.ts"),
        ]);
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
  // Before loading the modules, because a client can stop `mcp` immediately.
  onStopSignal(() => Deno.exit(0));
  const { runMcp } = await import("./lib/process/program.ts");
  await runMcp(commandArgs, async () => {
    const [{ MCP_SERVER }, { serveAgent }] = await Promise.all([
      import("./routes/mcp.ts"),
      import("./lib/mcp/stdio.ts"),
    ]);
    return (maxBytes) => serveAgent(MCP_SERVER, maxBytes);
  });
} else {
  const [operations, { runCommand }] = await Promise.all([
    import("./routes/operations.ts"),
    import("./lib/terminal/mod.ts"),
  ]);
  Deno.exit(await runCommand(args, operations));
}
