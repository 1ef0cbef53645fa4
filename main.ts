/**
 * The service in one process with one thread, and its operations as commands in a
 * terminal, which need no permission.
 *
 * ```sh
 * printf %s abc | deno run jsr:@devutils/service/cli hash sha256
 * deno run --allow-net --allow-env jsr:@devutils/service/cli serve --port 9000
 * ```
 *
 * @module
 */

import config from "./deno.json" with { type: "json" };
import { isCommand, skipSeparator } from "./lib/process/arguments.ts";

const args = skipSeparator(Deno.args);

// Only what is used is loaded, so that a command and the server start fast.
if (isCommand(args)) {
  const [{ runCommand, STANDARD_STREAMS }, { default: description }] =
    await Promise.all([
      import("./lib/terminal/mod.ts"),
      import("./routes/openapi.json", { with: { type: "json" } }),
    ]);
  const status = await runCommand(args, {
    ...STANDARD_STREAMS,
    description,
    loadRoutes: async () => (await import("./routes/mod.ts")).ROUTES,
  });
  Deno.exit(status);
} else {
  const [{ runProgram }, { Server }, { createHandler }] = await Promise.all([
    import("./lib/process/program.ts"),
    import("./lib/process/server.ts"),
    import("./routes/mod.ts"),
  ]);
  runProgram(config.version, {
    serve(settings) {
      const server = new Server();
      const isStopping = () => server.isStopping;
      const handler = createHandler({
        ...settings,
        isStopping,
      });
      server.listen(handler, settings);
      return server;
    },
    serveAgent: async () => (await import("./mcp.ts")).serveAgent(),
  });
}
