/** Servers on several threads that share a port and stop together. */

import type { FetchHandler } from "../http/middleware.ts";
import { flushLog } from "../log.ts";
import type { Stoppable } from "./program.ts";
import { assertPortIsFree, ListenError } from "./address.ts";
import { logError } from "../log.ts";
import {
  logListening,
  preloadTypeScriptParser,
  REQUEST_DRAIN_MS,
  Server,
  waitAtMost,
} from "./server.ts";
import type { Settings } from "./settings.ts";

/**
 * In each phase of a shutdown, the main thread waits up to this many milliseconds longer
 * for its workers than for its own server.
 */
const WORKER_DELAY_MS = 500;

/** Creates the handler of requests for one thread; `threads` is the number of all threads. */
type CreateHandler = (
  options: Settings & {
    readonly isStopping: () => boolean;
    readonly threads: number;
  },
) => FetchHandler;

/** A message from the main thread to a worker. */
type WorkerCommand =
  // Tells the worker to listen with these settings.
  | { readonly listen: Settings; readonly threads: number }
  | "stop"
  // Tells the worker to send the responses that it has held back, since the listeners of all
  // threads are now closed.
  | "sendResponses";

/** A message from a worker to the main thread. */
type WorkerMessage =
  // The worker's code has loaded.
  | "ready"
  | "listening"
  // The worker's listener is closed.
  | "closed"
  // The worker's server has stopped.
  | "stopped"
  // The reason why the worker cannot listen.
  | { readonly failure: string };

/** A server on the main thread and one in each worker, which share a port. */
export class Cluster implements Stoppable {
  readonly #server = new Server();
  /** The workers whose code has loaded. */
  readonly #workers: Worker[] = [];

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#server.isStopping;
  }

  /**
   * Listens on this thread, and runs the given module in one worker for each further
   * processor core. Logs the URL once all threads listen. If a worker cannot listen, the
   * process exits with status 1, so that its supervisor starts the process again.
   *
   * @throws {ListenError} if the address cannot be listened on.
   */
  listen(
    createHandler: CreateHandler,
    settings: Settings,
    module: string,
  ): void {
    assertPortIsFree(settings);
    const threads = navigator.hardwareConcurrency;
    const isStopping = () => this.isStopping;
    const handler = createHandler({
      ...settings,
      isStopping,
      threads,
    });
    const workersListen = Promise.withResolvers<void>();
    const port = this.#server.listen(handler, {
      ...settings,
      isShared: true,
      onListen: (url) => workersListen.promise.then(() => logListening(url)),
    });
    const command: WorkerCommand = { listen: { ...settings, port }, threads };
    const starts = Array.from(
      { length: threads - 1 },
      () => this.#startWorker(module, command),
    );
    Promise.all([preloadTypeScriptParser(), ...starts])
      .then(() => workersListen.resolve());
  }

  /** Starts a worker, and tells it to listen. Resolves when the worker listens. */
  async #startWorker(module: string, command: WorkerCommand): Promise<void> {
    const worker = new Worker(module, { type: "module" });
    worker.addEventListener("message", exitOnFailure);
    // The worker would lose a command that is sent before its code has loaded.
    await waitForMessage(worker, "ready");
    // If the shutdown began before the worker's code had loaded, `stop()` does not know
    // this worker, so it is ended here.
    if (this.isStopping) return worker.terminate();
    this.#workers.push(worker);
    worker.postMessage(command);
    await waitForMessage(worker, "listening");
  }

  /**
   * Stops the servers of all threads. Each holds its responses back until the listeners of
   * all threads are closed, so that no client connects to a listener that is about to
   * close.
   */
  async stop(): Promise<void> {
    const closed = this.#waitForWorkers("closed");
    const stopped = this.#waitForWorkers("stopped");
    this.#broadcast("stop");
    await this.#server.stop(async () => {
      await waitAtMost(REQUEST_DRAIN_MS + WORKER_DELAY_MS, closed);
      this.#broadcast("sendResponses");
    });
    await waitAtMost(WORKER_DELAY_MS, stopped);
  }

  #broadcast(command: WorkerCommand): void {
    for (const worker of this.#workers) worker.postMessage(command);
  }

  async #waitForWorkers(message: WorkerMessage): Promise<void> {
    await Promise.all(
      this.#workers.map((worker) => waitForMessage(worker, message)),
    );
  }
}

/**
 * Ends the process if a worker reports that it cannot listen. Otherwise the process would
 * serve on fewer cores, and this would not be noticed.
 */
function exitOnFailure({ data }: MessageEvent<WorkerMessage>): void {
  if (typeof data === "string") return;
  logError(data.failure);
  Deno.exit(1);
}

function waitForMessage(worker: Worker, message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => {
      if (data === message) resolve();
    });
  });
}

/**
 * The global scope of a worker. It is declared here, since TypeScript knows only the
 * global scope of the main thread.
 */
declare const self: {
  onmessage: (event: MessageEvent<WorkerCommand>) => void;
  postMessage(message: WorkerMessage): void;
};

/** Runs a server in a worker. The main thread tells it when to listen and to stop. */
export function serveInWorker(
  createHandler: CreateHandler,
): void {
  const server = new Server();
  const allClosed = Promise.withResolvers<void>();
  self.onmessage = async ({ data: command }) => {
    if (command === "sendResponses") return allClosed.resolve();
    if (command !== "stop") {
      const { listen, threads } = command;
      const isStopping = () => server.isStopping;
      const handler = createHandler({
        ...listen,
        isStopping,
        threads,
      });
      try {
        server.listen(handler, {
          ...listen,
          isShared: true,
          onListen: () => self.postMessage("listening"),
        });
      } catch (error) {
        if (!(error instanceof ListenError)) throw error;
        self.postMessage({ failure: error.message });
      }
      return;
    }
    await server.stop(() => {
      self.postMessage("closed");
      return allClosed.promise;
    });
    await waitAtMost(WORKER_DELAY_MS / 2, flushLog());
    self.postMessage("stopped");
  };
  self.postMessage("ready");
}
