/** A server as a process: command line, settings, signals, exit status. */

import { HELP, readArguments, UsageError } from "./arguments.ts";
import {
  logError,
  logEvent,
  logWarning,
  print,
  surviveRejections,
} from "../log.ts";
import { ListenError } from "./server.ts";
import {
  Environment,
  readSettings,
  SettingError,
  type Settings,
} from "./settings.ts";

/**
 * Time in which a signal counts as the one before, in milliseconds. Ctrl-C and
 * systemd signal the whole process group and `deno task` passes the signal on, so
 * that one stop comes twice; a watcher sends SIGTERM after SIGINT.
 */
const REPEAT_MS = 500;

/** What runs until it is told to stop. */
export interface Stoppable {
  /** Resolves when it has stopped. */
  stop(): Promise<void>;
}

/** The uses of the program. */
export interface Uses {
  /** Serves over HTTP. */
  readonly serve: (settings: Settings) => Stoppable;
  /** Serves tools to a local agent until its input ends. */
  readonly serveAgent: () => Promise<void>;
}

/**
 * Runs the use that the command line asks for, a server with the settings of
 * command line and environment until a signal stops it. A wrong command line ends
 * the process with status 2, a wrong setting or address with 1.
 */
export function runProgram(version: string, uses: Uses): void {
  try {
    const { mcp, port, host, help, version: isVersion } = readArguments(
      Deno.args,
    );
    if (help) return print(HELP.trimEnd());
    if (isVersion) return print(version);
    if (mcp) return void uses.serveAgent();
    const overrides: Record<string, string | undefined> = {
      PORT: port,
      HOST: host,
    };
    const environment = new Environment();
    const settings = readSettings((name) =>
      overrides[name] ?? environment.read(name)
    );
    const names = environment.unreadable.join(",");
    if (names !== "") {
      logWarning(`may not read ${names}: permit it with --allow-env=${names}`);
    }
    stopOnSignals(uses.serve(settings));
    surviveRejections();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof SettingError ||
      error instanceof ListenError;
    if (!isExpected) throw error;
    logError(error.message);
    Deno.exit(isUsage ? 2 : 1);
  }
}

function stopOnSignals(server: Stoppable): void {
  let firstSignalAt: number | undefined;
  async function stop(signal: Deno.Signal): Promise<void> {
    if (firstSignalAt !== undefined) {
      // Somebody does not want to wait.
      if (performance.now() > firstSignalAt + REPEAT_MS) Deno.exit(1);
      return;
    }
    firstSignalAt = performance.now();
    logEvent(`stopping on ${signal}`);
    await server.stop();
    logEvent("stopped");
    Deno.exit(0);
  }
  // Windows knows no SIGTERM.
  const other = Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM";
  for (const signal of ["SIGINT", other] as const) {
    Deno.addSignalListener(signal, () => stop(signal));
  }
}
