/** The service as a process: settings, server, signals. */

import { logError, logEvent } from "./lib/log.ts";
import { Server } from "./lib/server.ts";
import { readEnvironment, readSettings, SettingError } from "./lib/settings.ts";
import { createHandler } from "./routes/mod.ts";

/** Windows knows no SIGTERM; a hosted runtime may know no signals at all. */
const STOP_SIGNALS: Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

function start(): void {
  const settings = readSettings(readEnvironment);
  const server = new Server();
  const handler = createHandler({
    ...settings,
    isStopping: () => server.isStopping,
  });
  server.listen(handler, settings);
  stopOnSignals(server);
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
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
  if (typeof Deno.addSignalListener !== "function") return;
  for (const signal of STOP_SIGNALS) {
    Deno.addSignalListener(signal, () => stop(signal));
  }
}

try {
  start();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  logEvent(error.message);
  Deno.exit(1);
}
