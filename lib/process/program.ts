/** The start and the end of the program: settings, threads, signals and exit status. */

import { keepFreedMemory } from "../buffer.ts";
import { ExitError } from "../exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import {
  flushLog,
  logError,
  logEvent,
  logInBackground,
  logUnhandledRejections,
  logWarning,
  print,
} from "../log.ts";
import { logListening, Server } from "./server.ts";
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

/** Time after which a program that stops ends although a client does not read, in milliseconds. */
const MAX_STOP_MS = 8_500;

/** The start of a worker's name; the port follows. */
const WORKER_NAME = "devutils worker, port ";

/**
 * The global scope of a worker. It sends `null` when it hears signals, and listens when the
 * main thread sends `null`; a text is the reason why it cannot serve.
 */
declare const self: {
  readonly name?: string;
  onmessage: (event: MessageEvent<null>) => void;
  postMessage(message: string | null): void;
  close(): void;
};

/** Whether this program has started this thread. A hosted runtime may give a thread no name. */
const isWorker = self.name?.startsWith(WORKER_NAME) ?? false;

/** The parts of the program that are loaded when they are used. */
interface Service {
  readonly version: string;
  /** URL of the main module, which each worker runs, too. */
  readonly module: string;
  /** Creates the handler of requests for one of a number of threads. */
  readonly createHandler: (
    options: Settings & { isStopping: () => boolean; threads: number },
  ) => Promise<FetchHandler>;
  /** Serves messages of a local agent up to a size, until standard input ends. */
  readonly serveAgent: (maxBytes: number) => Promise<void>;
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
    if (options.help) print(HELP.trimEnd());
    else if (options.version) print(service.version);
    else if (args[0] === "mcp") await serveAgent(service);
    else await serve(options, service);
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    if (isWorker) return self.postMessage(error.message);
    logError(error.message);
    Deno.exit(error.status);
  }
}

async function serveAgent(service: Service): Promise<void> {
  // The other settings are those of a server.
  const { maxBodyBytes } = readSettings(
    {},
    (name) => name === "MAX_BODY_BYTES" ? readVariable(name, []) : undefined,
  );
  onStopSignal(() => Deno.exit(0));
  await service.serveAgent(maxBodyBytes);
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
  // Deno's OpenTelemetry exports only lines that are written with `console`.
  const isExported = read("OTEL_DENO") !== undefined ||
    denied.includes("OTEL_DENO");
  if (denied.length > 0 && !isWorker) {
    const names = denied.join(",");
    logWarning(`may not read ${names}: permit it with --allow-env=${names}`);
  }
  logUnhandledRejections();
  keepFreedMemory();
  const server = new Server();
  const isStopping = () => server.isStopping;
  const threads = parallel ? navigator.hardwareConcurrency : 1;
  const handler = await createHandler({ ...settings, isStopping, threads });
  const address = { ...settings, isShared: threads > 1, isFirst: !isWorker };
  // A signal may come as soon as the port is open.
  stopOnSignals(server, threads);
  if (isWorker) {
    self.postMessage(null);
    await new Promise((resolve) => self.onmessage = resolve);
    const port = Number(self.name!.slice(WORKER_NAME.length));
    if (!server.isStopping) server.listen(handler, { ...address, port });
  } else {
    const port = server.listen(handler, address);
    logListening(address.host, port);
    for (let n = 1; n < threads; n += 1) startWorker(module, port, server);
  }
  if (!isExported) logInBackground();
}

/** Starts a worker. If it fails, the program ends, so that a supervisor starts it again, on all cores. */
function startWorker(module: string, port: number, server: Server): void {
  const name = `${WORKER_NAME}${port}`;
  const worker = new Worker(module, { type: "module", name });
  // Deno has written the error to standard error.
  worker.onerror = () => Deno.exit(1);
  worker.onmessage = async ({ data }: MessageEvent<string | null>) => {
    if (data !== null) {
      logError(data);
      await flushLog();
      Deno.exit(1);
    } else if (server.isStopping) {
      // It did not hear the signal.
      worker.terminate();
    } else worker.postMessage(null);
  };
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
