/**
 * The service as a program: over HTTP, as tools for a local agent, and its operations as
 * commands in a terminal, which need no permission.
 *
 * ```sh
 * printf %s abc | deno run jsr:@devutils/service/cli hash sha256
 * deno run --allow-net --allow-env jsr:@devutils/service/cli serve --port 9000
 * ```
 *
 * `--parallel` serves on all processor cores, and needs `deno run --unstable-net`. Each further
 * thread is a worker that runs this module, too.
 *
 * @module
 */

import config from "./deno.json" with { type: "json" };

// `deno task` passes the separator `--` on.
const args = Deno.args[0] === "--" ? Deno.args.slice(1) : Deno.args;
const [command = "serve"] = args;
const isOption = command.startsWith("-") && command !== "--help" &&
  command !== "-h";

// Only what is used is loaded, so that the program starts fast.
if (command === "serve" || command === "mcp" || isOption) {
  const { runProgram } = await import("./lib/process/program.ts");
  await runProgram(args, {
    version: config.version,
    module: import.meta.url,
    async createHandler(options) {
      const { createHandler } = await import("./routes/mod.ts");
      return createHandler({ ...options, ownsRequests: true });
    },
    async loadAgentServer() {
      const { serveAgent } = await import("./routes/mcp.ts");
      return serveAgent;
    },
  });
} else {
  const [operations, { runCommand }] = await Promise.all([
    import("./routes/operations.ts"),
    import("./lib/terminal/mod.ts"),
  ]);
  Deno.exit(await runCommand(args, operations));
}
