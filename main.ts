/** The service as a process: command line, settings, server, signals. */

import config from "./deno.json" with { type: "json" };
import { HELP, readArguments, UsageError } from "./lib/arguments.ts";
import { logEvent, print, surviveRejections } from "./lib/log.ts";
import { ListenError, Server } from "./lib/server.ts";
import { readEnvironment, readSettings, SettingError } from "./lib/settings.ts";
import { createHandler } from "./routes/mod.ts";

/** Windows knows no SIGTERM. */
const STOP_SIGNALS: Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

function start(): void {
  const { port, host, help, version } = readArguments(Deno.args);
  if (help) return print(HELP.trimEnd());
  if (version) return print(config.version);
  const overrides: Record<string, string | undefined> = {
    PORT: port,
    HOST: host,
  };
  const settings = readSettings((name) =>
    overrides[name] ?? readEnvironment(name)
  );
  const server = new Server();
  const handler = createHandler({
    ...settings,
    isStopping: () => server.isStopping,
  });
  server.listen(handler, settings);
  stopOnSignals(server);
  surviveRejections();
}

function stopOnSignals(server: Server): void {
  async function stop(signal: Deno.Signal): Promise<void> {
    // A second signal means that somebody does not want to wait.
    if (server.isStopping) Deno.exit(1);
    logEvent(`stopping on ${signal}`);
    await server.stop();
    logEvent("stopped");
    Deno.exit(0);
  }
  // A hosted runtime may have no signals.
  if (typeof Deno.addSignalListener !== "function") return;
  for (const signal of STOP_SIGNALS) {
    Deno.addSignalListener(signal, () => stop(signal));
  }
}

try {
  start();
} catch (error) {
  const isUsage = error instanceof UsageError;
  const isExpected = isUsage || error instanceof SettingError ||
    error instanceof ListenError;
  if (!isExpected) throw error;
  logEvent(error.message);
  Deno.exit(isUsage ? 2 : 1);
}
