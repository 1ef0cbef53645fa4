/** A server as a process: command line, settings, signals, exit status. */

import { HELP, readArguments, UsageError } from "./arguments.ts";
import { logEvent, print, surviveRejections } from "../log.ts";
import { ListenError } from "./server.ts";
import {
  readEnvironment,
  readSettings,
  SettingError,
  type Settings,
} from "./settings.ts";

/** Windows knows no SIGTERM. */
const STOP_SIGNALS: Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

/** What runs until it is told to stop. */
export interface Stoppable {
  readonly isStopping: boolean;
  /** Resolves when it has stopped. */
  stop(): Promise<void>;
}

/**
 * Runs a server with the settings of command line and environment until a signal
 * stops it. What makes no sense ends the process: status 2 for the command line,
 * 1 for a setting or an address.
 */
export function runProgram(
  version: string,
  serve: (settings: Settings) => Stoppable,
): void {
  try {
    const { port, host, help, version: isVersion } = readArguments(Deno.args);
    if (help) return print(HELP.trimEnd());
    if (isVersion) return print(version);
    const overrides: Record<string, string | undefined> = {
      PORT: port,
      HOST: host,
    };
    const settings = readSettings((name) =>
      overrides[name] ?? readEnvironment(name)
    );
    stopOnSignals(serve(settings));
    surviveRejections();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof SettingError ||
      error instanceof ListenError;
    if (!isExpected) throw error;
    logEvent(error.message);
    Deno.exit(isUsage ? 2 : 1);
  }
}

function stopOnSignals(server: Stoppable): void {
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
