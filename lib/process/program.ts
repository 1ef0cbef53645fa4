/** Starts and ends the program: settings, threads, signals, and exit status. */

import config from "../../deno.json" with { type: "json" };
import { ExitError } from "./exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError, logEvent, logWarning } from "./log.ts";
import { writeOutput } from "./standard_streams.ts";
import { onStopSignal } from "./signals.ts";
import { findSharedPort, Server } from "./server.ts";
import {
  MCP,
  type Options,
  type ProgramCommand,
  readOptions,
  readSettings,
  readVariable,
  SERVE,
  type Settings,
} from "./settings.ts";

/** Longest time from the first signal to the end of the program, in milliseconds. */
const MAX_SHUTDOWN_MS = 8_500;

/** Start of the name of a worker, before the TCP port on which the worker listens. */
const WORKER_NAME = "devutils worker on port ";

/** A worker's global scope. A worker sends a message when it listens. */
declare const self: {
  readonly name?: string;
  onmessage: () => void;
  postMessage(message: null): void;
  close(): void;
};

/** The port of a worker that this program has started; `undefined` in the main thread. */
const workerPort = self.name?.startsWith(WORKER_NAME)
  ? Number(self.name.slice(WORKER_NAME.length))
  : undefined;

/** The parts of the program that `serve` needs. */
interface Service {
  /** URL of the main module, which each worker also runs. */
  readonly module: string;
  /** Creates the request handler of one thread. `shutdown` aborts when it shuts down. */
  readonly createHandler: (
    options: Settings & { readonly shutdown: AbortSignal },
  ) => Promise<FetchHandler>;
}

/**
 * Runs `serve`. The exit status is 2 for an invalid command line, and 1 for an invalid
 * environment variable, or if the service cannot listen or a worker fails.
 */
export async function runServe(
  args: readonly string[],
  service: Service,
): Promise<void> {
  await run(args, SERVE, (options) => serve(options, service));
}

/**
 * Runs `mcp`. The exit status is 2 for an invalid command line, and 1 for an invalid
 * environment variable, or if reading standard input or writing standard output fails.
 *
 * @param loadAgentServer Loads the function that handles the messages of a local agent, of
 * at most `maxBytes` each, until standard input ends or the agent stops reading.
 */
export async function runMcp(
  args: readonly string[],
  loadAgentServer: () => Promise<(maxBytes: number) => Promise<void>>,
): Promise<void> {
  await run(args, MCP, async () => {
    // The other settings are for the HTTP server.
    const { maxBodyBytes } = readSettings(
      {},
      (name) => name === "MAX_BODY_BYTES" ? readVariable(name, []) : undefined,
    );
    const serveAgent = await loadAgentServer();
    await dropReadPermission();
    await serveAgent(maxBodyBytes);
    Deno.exit(0);
  });
}

/**
 * Prints the help or the version if the arguments ask for it. Otherwise starts a command. An
 * `ExitError` determines the exit status, which is 0 if the reader of standard output has
 * closed the pipe.
 */
async function run(
  args: readonly string[],
  command: ProgramCommand,
  start: (options: Options) => Promise<void>,
): Promise<void> {
  try {
    const options = readOptions(args, command);
    if (options.help) await writeOutput(command.help);
    else if (options.version) await writeOutput(`${config.version}\n`);
    else await start(options);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return;
    // `Deno.exit()` in a worker would only end the worker. Its error ends the program.
    const isExpected = error instanceof ExitError && workerPort === undefined;
    if (!isExpected) throw error;
    logError(error.message);
    Deno.exit(error.status);
  }
}

/** Serves on this thread, and with `--parallel` on a worker for each other CPU core. */
async function serve(
  { parallel, ...options }: Options,
  { module, createHandler }: Service,
): Promise<void> {
  const denied: string[] = [];
  const settings = readSettings(options, (name) => readVariable(name, denied));
  const server = new Server();
  const { shutdown } = server;
  const handler = await createHandler({ ...settings, shutdown });
  const threads = parallel ? navigator.hardwareConcurrency : 1;
  const address = { ...settings, isShared: threads > 1 };
  if (workerPort !== undefined) {
    await dropReadPermission();
    server.listen(handler, { ...address, port: workerPort });
    logUnhandledRejections();
    shutDownOnMessage(server);
    return;
  }

  if (denied.length > 0) {
    const names = denied.join(",");
    logWarning(`cannot read ${names}: permit it with --allow-env=${names}`);
  }
  const port = address.isShared ? findSharedPort(address) : address.port;
  const workers = Array.from(
    { length: threads - 1 },
    () => startWorker(module, port),
  );
  // Before the port is open, because a program that waits for it can send a signal at once.
  shutDownOnSignal(server, workers);
  await Promise.all(workers);
  await dropReadPermission();
  if (shutdown.aborted) return;
  const listeningPort = server.listen(handler, { ...address, port });
  logUnhandledRejections();
  logListening(address.host, listeningPort);
}

/**
 * Starts a worker, and resolves when it listens. If it fails, now or later, the program exits
 * with status 1, so that a supervisor restarts it with all threads.
 */
function startWorker(module: string, port: number): Promise<Worker> {
  const name = `${WORKER_NAME}${port}`;
  const worker = new Worker(module, { type: "module", name });
  // Deno has written the error to standard error already.
  worker.onerror = () => Deno.exit(1);
  return new Promise((resolve) => {
    worker.onmessage = () => resolve(worker);
  });
}

/** Notifies the main thread that this worker listens, and shuts down when it replies. */
function shutDownOnMessage(server: Server): void {
  self.onmessage = async () => {
    await server.shutDown();
    self.close();
  };
  self.postMessage(null);
}

/**
 * Shuts down at the first signal, and exits with status 0 when all threads have shut down,
 * after 8.5 s at the latest. Ignores further signals: Ctrl-C and systemd signal all processes
 * of a group, and `deno task` forwards its signal to this program again.
 */
function shutDownOnSignal(
  server: Server,
  workers: readonly Promise<Worker>[],
): void {
  onStopSignal(async (signal) => {
    if (server.shutdown.aborted) return;
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), MAX_SHUTDOWN_MS));
    logEvent(`shutting down on ${signal}`);
    for (const worker of workers) {
      worker.then((worker) => worker.postMessage(null));
    }
    await server.shutDown();
    if (workers.length === 0) Deno.exit(0);
  });
}

/**
 * Revokes the permission of this thread to read files, which only commands need. All modules
 * must be loaded before. A hosted runtime can lack `Deno.permissions`.
 */
async function dropReadPermission(): Promise<void> {
  await Deno.permissions?.revoke({ name: "read" });
}

/** Logs unhandled promise rejections, which would otherwise end the process. */
function logUnhandledRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}

/** Logs the URL of the service, with `localhost` instead of a wildcard address. */
function logListening(host: string, port: number): void {
  const isWildcard = host === "0.0.0.0" || host === "::";
  const isIpv6 = host.includes(":");
  const name = isWildcard ? "localhost" : isIpv6 ? `[${host}]` : host;
  logEvent(`listening on http://${name}:${port}`);
}
