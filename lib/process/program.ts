/** The start and the end of the program: command line, settings, signals and exit status. */

import { HELP, readArguments, UsageError } from "./arguments.ts";
import {
  flushLog,
  logError,
  logEvent,
  logInBackground,
  logUnhandledRejections,
  logWarning,
  print,
} from "../log.ts";
import { ListenError } from "./address.ts";
import { waitAtMost } from "./server.ts";
import {
  Environment,
  readSettings,
  SettingError,
  type Settings,
} from "./settings.ts";

/**
 * Time after the first signal during which further signals are ignored, in milliseconds. If
 * a user stops the program once, two signals may come: Ctrl-C and systemd send a signal to
 * all processes of a group, and `deno task` forwards its own to the program; `deno run
 * --watch` sends SIGTERM after SIGINT.
 */
const REPEATED_SIGNAL_MS = 500;

/** Longest time that the process waits for its log to be written before it ends, in milliseconds. */
const LOG_DRAIN_MS = 200;

/** A server that can be stopped. */
export interface Stoppable {
  /** Stops the server; the promise resolves when it has stopped. */
  stop(): Promise<void>;
}

/** The two ways to serve; the command line selects one. */
interface Commands {
  /** Serves over HTTP. */
  readonly serve: (settings: Settings) => Stoppable;
  /** Serves tools to a local agent until standard input ends. */
  readonly serveAgent: () => Promise<void>;
}

/**
 * Serves as the command line says. A server over HTTP takes its settings from the command
 * line and the environment, and runs until a signal stops it. The process ends with status
 * 2 for a wrong command line, and with status 1 for a wrong setting or address.
 */
export function runProgram(version: string, commands: Commands): void {
  try {
    const { mcp, port, host, help, version: isVersion } = readArguments(
      Deno.args,
    );
    if (help) return print(HELP.trimEnd());
    if (isVersion) return print(version);
    if (mcp) return void commands.serveAgent();
    const overrides: Record<string, string | undefined> = {
      PORT: port,
      HOST: host,
    };
    const environment = new Environment();
    const settings = readSettings((name) =>
      overrides[name] ?? environment.read(name)
    );
    const { mayHaveTelemetry } = environment;
    const names = environment.unreadable.join(",");
    if (names !== "") {
      logWarning(`may not read ${names}: permit it with --allow-env=${names}`);
    }
    logUnhandledRejections();
    const server = Promise.withResolvers<Stoppable>();
    // The signal handlers are added before the port is opened, since a signal may come as
    // soon as the port is open.
    stopOnSignals(server.promise);
    server.resolve(commands.serve(settings));
    if (!mayHaveTelemetry) logInBackground();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof SettingError ||
      error instanceof ListenError;
    if (!isExpected) throw error;
    logError(error.message);
    Deno.exit(isUsage ? 2 : 1);
  }
}

/**
 * Stops the server at the first signal. A later signal ends the process at once; signals
 * within `REPEATED_SIGNAL_MS` of the first are ignored.
 */
function stopOnSignals(server: Promise<Stoppable>): void {
  let firstSignalAt: number | undefined;
  async function stop(signal: Deno.Signal): Promise<void> {
    if (firstSignalAt !== undefined) {
      const elapsedMs = performance.now() - firstSignalAt;
      if (elapsedMs > REPEATED_SIGNAL_MS) Deno.exit(1);
      return;
    }
    firstSignalAt = performance.now();
    logEvent(`stopping on ${signal}`);
    await (await server).stop();
    logEvent("stopped");
    await waitAtMost(LOG_DRAIN_MS, flushLog());
    Deno.exit(0);
  }
  // Windows has no SIGTERM.
  const other = Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM";
  for (const signal of ["SIGINT", other] as const) {
    Deno.addSignalListener(signal, () => stop(signal));
  }
}
