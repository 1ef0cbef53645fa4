/** The start and the end of the program: settings, threads, signals and exit status. */

import { ExitError } from "../system/exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import {
  flushLog,
  logError,
  logEvent,
  logInBackground,
  logUnhandledRejections,
  logWarning,
} from "../system/log.ts";
import { writeOutput } from "../system/standard_streams.ts";
import { onStopSignal } from "./signals.ts";
import { type Address, logListening, Server } from "./server.ts";
import {
  HELP,
  MCP_OPTIONS,
  type OptionNames,
  type Options,
  readOptions,
  readSettings,
  readVariable,
  SERVE_OPTIONS,
  type Settings,
} from "./settings.ts";

/**
 * Time after the first signal during which further ones are ignored, in milliseconds. One
 * stop may cause two signals: Ctrl-C and systemd send a signal to all processes of a group,
 * and `deno task` forwards it to this program again; `deno run --watch` sends SIGTERM after
 * SIGINT.
 */
const REPEATED_SIGNAL_MS = 500;

/**
 * Longest time from the first signal to the end of the program, even if a client does not
 * read its response, in milliseconds.
 */
const MAX_STOP_MS = 8_500;

const WORKER_NAME = "devutils worker";

/**
 * The members of a worker's global scope that this module uses. A worker sends a message
 * when it listens for signals. Then the main thread sends the TCP port on which the worker
 * has to listen.
 */
declare const self: {
  readonly name?: string;
  onmessage: (event: MessageEvent<number>) => void;
  postMessage(message: null): void;
  close(): void;
};

/**
 * Whether this thread is a worker that this program has started. In a hosted runtime, the
 * main thread may have another name, or none.
 */
const isWorker = self.name === WORKER_NAME;

/** The parts of the program that `serve` needs, of which it loads the handler. */
interface Service {
  readonly version: string;
  /** URL of the main module, which each worker runs as its main module, too. */
  readonly module: string;
  /** Creates the request handler of one thread. `shutdown` aborts when the service shuts down. */
  readonly createHandler: (
    options: Settings & {
      shutdown: AbortSignal;
    },
  ) => Promise<FetchHandler>;
}

/** The parts of the program that `mcp` needs. */
interface AgentService {
  readonly version: string;
  /**
   * Loads the function that answers the messages of a local agent until standard input
   * ends, or the agent stops reading. `maxBytes` is the size of the largest message.
   */
  readonly loadAgentServer: () => Promise<(maxBytes: number) => Promise<void>>;
}

/**
 * Runs `serve`. The exit status is 2 for a wrong command line; 1 for a wrong environment
 * variable, if the service cannot listen, if a worker fails, and after a second stop signal.
 *
 * @param args The arguments after the command.
 */
export async function runServe(
  args: readonly string[],
  service: Service,
): Promise<void> {
  await run(args, {
    names: SERVE_OPTIONS,
    version: service.version,
    start: (options) => serve(options, service),
  });
}

/**
 * Runs `mcp`. The exit status is 2 for a wrong command line; 1 for a wrong environment
 * variable, and if standard input cannot be read, or standard output not be written.
 *
 * @param args The arguments after the command.
 */
export async function runMcp(
  args: readonly string[],
  { version, loadAgentServer }: AgentService,
): Promise<void> {
  await run(args, {
    names: MCP_OPTIONS,
    version,
    async start() {
      // The other settings are for the HTTP server: they are ignored, even if they are
      // invalid.
      const { maxBodyBytes } = readSettings(
        {},
        (name) =>
          name === "MAX_BODY_BYTES" ? readVariable(name, []) : undefined,
      );
      const serveMessages = await loadAgentServer();
      await dropReadPermission();
      await serveMessages(maxBodyBytes);
      Deno.exit(0);
    },
  });
}

/**
 * Prints the help or the version if the arguments say so; otherwise starts a command. If
 * the reader of standard output has closed the pipe, the exit status is 0; after an
 * `ExitError`, as one for a full disk, that of the error.
 */
async function run(
  args: readonly string[],
  { names, version, start }: {
    readonly names: OptionNames;
    readonly version: string;
    readonly start: (options: Options) => Promise<void>;
  },
): Promise<void> {
  try {
    const options = readOptions(args, names);
    if (options.help) await writeOutput(HELP);
    else if (options.version) await writeOutput(`${version}\n`);
    else await start(options);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return;
    if (!(error instanceof ExitError)) throw error;
    logError(error.message);
    Deno.exit(error.status);
  }
}

/**
 * Begins to serve on this thread. With `--parallel`, the main thread also starts a worker
 * for each further processor core.
 */
async function serve(
  { parallel, ...options }: Options,
  { module, createHandler }: Service,
): Promise<void> {
  const denied: string[] = [];
  const read = (name: string) => readVariable(name, denied);
  const settings = readSettings(options, read);
  const threads = parallel ? navigator.hardwareConcurrency : 1;
  if (parallel) checkSharedPorts();
  // If OpenTelemetry is on, or may be on, the log must be written with `console`: Deno
  // exports no other lines.
  const isExported = read("OTEL_DENO")?.toLowerCase() === "true" ||
    denied.includes("OTEL_DENO");
  if (denied.length > 0 && !isWorker) {
    const names = denied.join(",");
    logWarning(`may not read ${names}: permit it with --allow-env=${names}`);
  }
  const server = new Server();
  const { shutdown } = server;
  const handler = await createHandler({ ...settings, shutdown });
  const address = { ...settings, isShared: threads > 1, isFirst: !isWorker };
  logUnhandledRejections();
  // The signal listeners are added before the port is open: a program that waits for the
  // port may send a signal as soon as it is open.
  stopOnSignals(server, threads);
  const port = isWorker
    ? await listenAsWorker(server, handler, address)
    : await listenAsMain(server, handler, { address, threads, module });
  // If the log is written in the background, a failed write, as on a full disk, does not
  // stop the service.
  if (!isExported) logInBackground();
  if (port !== undefined) logListening(address.host, port);
}

/** Listens on this thread when the main thread has sent the port. */
async function listenAsWorker(
  server: Server,
  handler: FetchHandler,
  address: Address,
): Promise<undefined> {
  await dropReadPermission();
  const port = new Promise<number>((resolve) => {
    self.onmessage = ({ data }) => resolve(data);
  });
  self.postMessage(null);
  const shared = { ...address, port: await port };
  if (!server.shutdown.aborted) server.listen(handler, shared);
}

/**
 * Starts the workers, listens on this thread, and sends the port to the workers. Returns
 * the port. If a signal comes before this thread listens, ends the workers, does not
 * listen, and returns `undefined`.
 */
async function listenAsMain(
  server: Server,
  handler: FetchHandler,
  { address, threads, module }: {
    readonly address: Address;
    readonly threads: number;
    readonly module: string;
  },
): Promise<number | undefined> {
  // The workers start first: once the port is open, clients may take the file descriptors
  // that a worker needs.
  const starting = Array.from(
    { length: threads - 1 },
    () => startWorker(module),
  );
  const workers = await Promise.all(starting);
  await dropReadPermission();
  if (server.shutdown.aborted) {
    for (const worker of workers) worker.terminate();
    return undefined;
  }
  const port = server.listen(handler, address);
  for (const worker of workers) worker.postMessage(port);
  return port;
}

/**
 * Checks that several threads can listen on the same port. This is an unstable feature of
 * Deno, which ends the process if the option `--unstable-net` is missing. In this
 * repository and in binaries, `deno.json` sets the option; the `deno.json` of a package has
 * no effect.
 *
 * @throws {ExitError} with status 2 if the option is missing.
 */
function checkSharedPorts(): void {
  // Deno does not tell whether `--unstable-net` is set, but has this function only if it is.
  if ("listenDatagram" in Deno) return;
  const message =
    "--parallel needs an option of Deno: deno run --unstable-net …";
  throw new ExitError(2, message);
}

/**
 * Gives up the permission of this thread to read files, which the binary has for its
 * commands. All modules must be loaded before. A hosted runtime may lack
 * `Deno.permissions`.
 */
async function dropReadPermission(): Promise<void> {
  await Deno.permissions?.revoke({ name: "read" });
}

/**
 * Starts a worker, and resolves when the worker listens for signals. If the worker fails,
 * also later, the program ends with status 1, so that a supervisor restarts it with all
 * threads.
 */
function startWorker(module: string): Promise<Worker> {
  const worker = new Worker(module, { type: "module", name: WORKER_NAME });
  // Deno has written the error to standard error already.
  worker.onerror = () => Deno.exit(1);
  return new Promise((resolve) => {
    worker.onmessage = () => resolve(worker);
  });
}

/**
 * Stops the server of this thread at the first signal. The program ends with status 0 when
 * the servers of all threads have stopped, after 8.5 s at the latest. Another signal, more
 * than 0.5 s after the first, ends the program at once, with status 1.
 */
function stopOnSignals(server: Server, threads: number): void {
  let firstSignalAt: number | undefined;
  onStopSignal(async (signal) => {
    const now = performance.now();
    if (firstSignalAt !== undefined) {
      if (now - firstSignalAt > REPEATED_SIGNAL_MS) Deno.exit(1);
      return;
    }
    firstSignalAt = now;
    if (!isWorker) {
      Deno.unrefTimer(setTimeout(() => Deno.exit(0), MAX_STOP_MS));
      logEvent(`stopping on ${signal}`);
    }
    await server.stop();
    await flushLog();
    if (isWorker) self.close();
    else if (threads === 1) Deno.exit(0);
  });
}
