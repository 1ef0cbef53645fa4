/** The start and the end of the program: settings, threads, signals and exit status. */

import { keepFreedMemory } from "../values/buffer.ts";
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
import { type Address, logListening, Server } from "./server.ts";
import {
  HELP,
  type Options,
  readOptions,
  readSettings,
  readVariable,
  type Settings,
} from "./settings.ts";

/** Windows has no SIGTERM. */
const STOP_SIGNALS = [
  "SIGINT",
  Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM",
] as const;

/**
 * Time after the first signal during which further ones are ignored, in milliseconds. Two
 * may come at once: Ctrl-C and systemd send a signal to all processes of a group, and
 * `deno task` forwards its own; `deno run --watch` sends SIGTERM after SIGINT.
 */
const REPEATED_SIGNAL_MS = 500;

/**
 * Longest time from the first signal to the end, even if a client does not read, in
 * milliseconds.
 */
const MAX_STOP_MS = 8_500;

const WORKER_NAME = "devutils worker";

/**
 * The global scope of a worker. It sends a message when it listens to signals, and listens on
 * the port that the main thread sends.
 */
declare const self: {
  readonly name?: string;
  onmessage: (event: MessageEvent<number>) => void;
  postMessage(message: null): void;
  close(): void;
};

/** Whether this program has started this thread. A hosted runtime may give a thread no name. */
const isWorker = self.name === WORKER_NAME;

/** The parts of the program that are loaded when they are used. */
interface Service {
  readonly version: string;
  /** URL of the main module, which each worker runs, too. */
  readonly module: string;
  /** Creates the handler of requests for one of a number of threads. */
  readonly createHandler: (
    options: Settings & { isStopping: () => boolean; threads: number },
  ) => Promise<FetchHandler>;
  /** Loads the function that serves messages of a local agent until standard input ends. */
  readonly loadAgentServer: () => Promise<(maxBytes: number) => Promise<void>>;
}

/**
 * Serves as the arguments say. The exit status is 2 for a wrong command line, and 1 for a
 * wrong setting or address, or if a thread fails.
 */
export async function runProgram(
  args: readonly string[],
  service: Service,
): Promise<void> {
  try {
    const options = readOptions(args);
    if (options.help) await writeOutput(HELP);
    else if (options.version) await writeOutput(`${service.version}\n`);
    else if (args[0] === "mcp") await serveAgent(service);
    else await serve(options, service);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return;
    if (!(error instanceof ExitError)) throw error;
    logError(error.message);
    Deno.exit(error.status);
  }
}

async function serveAgent(service: Service): Promise<void> {
  // All other settings are for a server.
  const { maxBodyBytes } = readSettings(
    {},
    (name) => name === "MAX_BODY_BYTES" ? readVariable(name, []) : undefined,
  );
  onStopSignal(() => Deno.exit(0));
  const serveMessages = await service.loadAgentServer();
  await dropReadPermission();
  await serveMessages(maxBodyBytes);
  Deno.exit(0);
}

/** Serves on this thread; the main thread starts a worker for each further one. */
async function serve(
  { parallel, ...options }: Options,
  { module, createHandler }: Service,
): Promise<void> {
  const denied: string[] = [];
  const read = (name: string) => readVariable(name, denied);
  const settings = readSettings(options, read);
  const threads = parallel ? navigator.hardwareConcurrency : 1;
  if (parallel) checkSharedPorts();
  // Deno's OpenTelemetry exports only lines that are written with `console`.
  const isExported = read("OTEL_DENO")?.toLowerCase() === "true" ||
    denied.includes("OTEL_DENO");
  if (denied.length > 0 && !isWorker) {
    const names = denied.join(",");
    logWarning(`may not read ${names}: permit it with --allow-env=${names}`);
  }
  keepFreedMemory();
  const server = new Server();
  const isStopping = () => server.isStopping;
  const handler = await createHandler({ ...settings, isStopping, threads });
  const address = { ...settings, isShared: threads > 1, isFirst: !isWorker };
  logUnhandledRejections();
  // A signal may come as soon as the port is open.
  stopOnSignals(server, threads);
  if (isWorker) await listenAsWorker(server, handler, address);
  else await listenAsMain(server, handler, { address, threads, module });
  if (!isExported) logInBackground();
}

/** Listens on this thread when the main thread has sent the port. */
async function listenAsWorker(
  server: Server,
  handler: FetchHandler,
  address: Address,
): Promise<void> {
  await dropReadPermission();
  const port = new Promise<number>((resolve) => {
    self.onmessage = ({ data }) => resolve(data);
  });
  self.postMessage(null);
  const shared = { ...address, port: await port };
  if (!server.isStopping) server.listen(handler, shared);
}

/** Starts the workers, and listens on this thread and on theirs. */
async function listenAsMain(
  server: Server,
  handler: FetchHandler,
  { address, threads, module }: {
    readonly address: Address;
    readonly threads: number;
    readonly module: string;
  },
): Promise<void> {
  // The workers start first: once the port is open, clients may take the file descriptors
  // that a worker needs.
  const starting = Array.from(
    { length: threads - 1 },
    () => startWorker(module),
  );
  const workers = await Promise.all(starting);
  await dropReadPermission();
  if (server.isStopping) {
    for (const worker of workers) worker.terminate();
    return;
  }
  const port = server.listen(handler, address);
  for (const worker of workers) worker.postMessage(port);
  logListening(address.host, port);
}

/**
 * Checks that threads can listen on one port. This is unstable in Deno, which ends the process
 * if it is not permitted. `deno.json` permits it in this repository and in binaries, but that
 * of a package has no effect.
 *
 * @throws {ExitError} with status 2 if it is not permitted.
 */
function checkSharedPorts(): void {
  // Only this function shows whether the option is given: Deno does not tell it.
  if ("listenDatagram" in Deno) return;
  const message =
    "--parallel needs an option of Deno: deno run --unstable-net …";
  throw new ExitError(2, message);
}

/**
 * Gives up the permission to read files, which the binary has for its commands, in this
 * thread. All modules must be loaded. A hosted runtime may have no permissions.
 */
async function dropReadPermission(): Promise<void> {
  await Deno.permissions?.revoke({ name: "read" });
}

/**
 * Starts a worker, and resolves when it listens to signals. If it fails, the program ends, so
 * that a supervisor starts it again, on all cores.
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
 * Stops the server of this thread at the first signal. A later signal ends the program at
 * once. With several threads, the program ends by itself when the last one has stopped.
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
      logEvent(`stopping on ${signal}`);
      Deno.unrefTimer(setTimeout(() => Deno.exit(0), MAX_STOP_MS));
    }
    await server.stop();
    await flushLog();
    if (isWorker) self.close();
    else if (threads === 1) Deno.exit(0);
  });
}

function onStopSignal(listener: (signal: Deno.Signal) => void): void {
  for (const signal of STOP_SIGNALS) {
    Deno.addSignalListener(signal, () => listener(signal));
  }
}
