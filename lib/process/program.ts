/** The commands `serve` and `mcp`: threads, signals, permissions, and exit status. */

import config from "../../deno.json" with { type: "json" };
import { exitAfter } from "./exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError, logEvent, logWarning } from "../log.ts";
import { writeOutput } from "./standard_streams.ts";
import { onStopSignal } from "./signals.ts";
import { findSharedPort, Server } from "./server.ts";
import {
  MCP,
  type Options,
  readOptions,
  readSettings,
  readVariable,
  SERVE,
  type Settings,
} from "./settings.ts";

/** Maximum time from the first signal to the exit, in milliseconds. */
const MAX_SHUTDOWN_MS = 8_500;

/** Prefix of a worker's name, which the TCP port to listen on follows. */
const WORKER_NAME = "devutils worker on port ";

declare const self: {
  readonly name?: string;
  onmessage: () => void;
  postMessage(message: null): void;
  close(): void;
};

/** In a worker, the port to listen on. In the main thread, `undefined`. */
const workerPort = self.name?.startsWith(WORKER_NAME)
  ? Number(self.name.slice(WORKER_NAME.length))
  : undefined;

interface Service {
  /** URL of the main module, which each worker also runs. */
  readonly module: string;
  /** Creates a thread's request handler. `shutdown` is aborted when a shutdown starts. */
  readonly createHandler: (
    options: Settings & { readonly shutdown: AbortSignal },
  ) => Promise<FetchHandler>;
}

/** Runs `serve`. The exit status is 1 if the service cannot listen or a worker fails. */
export async function runServe(
  args: readonly string[],
  service: Service,
): Promise<void> {
  await run(args, SERVE, (options) => serve(options, service));
}

/**
 * Runs `mcp`.
 *
 * @param loadAgentServer Loads the function that serves the agent. `maxBytes` limits the size
 * of each message.
 */
export async function runMcp(
  args: readonly string[],
  loadAgentServer: () => Promise<(maxBytes: number) => Promise<void>>,
): Promise<void> {
  await run(args, MCP, async () => {
    // The other variables apply only to `serve`, so it doesn't matter if they are invalid.
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
 * Prints the help or the version, or starts the command. An `ExitError` determines the exit
 * status: 2 for an invalid command line, otherwise 1.
 */
async function run(
  args: readonly string[],
  command: typeof SERVE,
  start: (options: Options) => Promise<void>,
): Promise<void> {
  try {
    const options = readOptions(args, command);
    if (options.help) await writeOutput(command.help);
    else if (options.version) await writeOutput(`${config.version}\n`);
    else await start(options);
  } catch (error) {
    // In a worker, `Deno.exit()` would end only the worker, but an error ends the program.
    if (workerPort !== undefined) throw error;
    exitAfter(error);
  }
}

/** Serves on this thread and, with `--parallel`, on one worker for each other CPU core. */
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
    logWarning(
      `cannot read ${names}: to allow access, use --allow-env=${names}`,
    );
  }
  const port = address.isShared ? findSharedPort(address) : address.port;
  const workers = Array.from(
    { length: threads - 1 },
    () => startWorker(module, port),
  );
  // Do this before listening, because a program that waits for the port can signal immediately.
  shutDownOnSignal(server, workers);
  await Promise.all(workers);
  await dropReadPermission();
  if (shutdown.aborted) return;
  const listeningPort = server.listen(handler, { ...address, port });
  logUnhandledRejections();
  logListening(address.host, listeningPort);
}

/**
 * Starts a worker, and resolves when it is listening. If a worker fails at any time, the
 * program exits with status 1, so that a supervisor can restart it with all threads.
 */
function startWorker(module: string, port: number): Promise<Worker> {
  const name = `${WORKER_NAME}${port}`;
  const worker = new Worker(module, { type: "module", name });
  // Deno has already printed the error.
  worker.onerror = () => Deno.exit(1);
  return new Promise((resolve) => {
    worker.onmessage = () => resolve(worker);
  });
}

/** Notifies the main thread that this worker is listening, and shuts down on its reply. */
function shutDownOnMessage(server: Server): void {
  self.onmessage = async () => {
    await server.shutDown();
    self.close();
  };
  self.postMessage(null);
}

/**
 * Shuts down on the first signal, and exits with status 0 after at most 8.5 s. Ignores later
 * signals, because Ctrl-C signals the entire process group and `deno task` forwards
 * its own signal to the program.
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
 * Revokes read permission, which only terminal commands need. Call this function after all
 * modules are loaded. Some hosted runtimes lack `Deno.permissions`.
 */
async function dropReadPermission(): Promise<void> {
  await Deno.permissions?.revoke({ name: "read" });
}

/** Prevents unhandled promise rejections from crashing the process. */
function logUnhandledRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}

function logListening(host: string, port: number): void {
  const isWildcard = host === "0.0.0.0" || host === "::";
  const isIpv6 = host.includes(":");
  const name = isWildcard ? "localhost" : isIpv6 ? `[${host}]` : host;
  logEvent(`listening on http://${name}:${port}`);
}
