/** Servers on several threads that share a port and stop together. */

import type { FetchHandler } from "../http/middleware.ts";
import { flushLog } from "../log.ts";
import type { Stoppable } from "./program.ts";
import { assertPortIsFree, ListenError } from "./address.ts";
import { logError } from "../log.ts";
import {
  logListening,
  REQUEST_DRAIN_MS,
  Server,
  waitAtMost,
} from "./server.ts";
import type { Settings } from "./settings.ts";

/**
 * Additional time that the main thread waits for its workers in each phase of a
 * shutdown, in milliseconds.
 */
const WORKER_DELAY_MS = 500;

/** Creates the handler of requests for one of `threads` threads. */
type CreateHandler = (
  options: Settings & {
    readonly isStopping: () => boolean;
    readonly threads: number;
  },
) => FetchHandler;

/**
 * A message from the main thread to a worker: listen, stop, or send the responses
 * that the worker holds, because every thread has closed its listener.
 */
type WorkerCommand =
  | { readonly listen: Settings; readonly threads: number }
  | "stop"
  | "sendResponses";

/**
 * A message from a worker to the main thread: its code has loaded, its listener is
 * open, its listener is closed, its server has stopped, or why it cannot listen.
 */
type WorkerMessage =
  | "ready"
  | "listening"
  | "closed"
  | "stopped"
  | { readonly failure: string };

/** A server on this thread and one in each worker. */
export class Cluster implements Stoppable {
  readonly #server = new Server();
  /** The workers that have loaded. */
  readonly #workers: Worker[] = [];

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#server.isStopping;
  }

  /**
   * Listens on this thread, and starts a worker with the given module for each
   * other core. Logs the URL once every thread listens. If a worker cannot, the
   * process exits with status 1, so that its supervisor starts it again.
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
    const handler = createHandler({ ...settings, isStopping, threads });
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
    Promise.all(starts).then(() => workersListen.resolve());
  }

  /** Starts a worker, and tells it to listen. Resolves when the worker listens. */
  async #startWorker(module: string, command: WorkerCommand): Promise<void> {
    const worker = new Worker(module, { type: "module" });
    worker.addEventListener("message", exitOnFailure);
    // A command that is sent before the worker has loaded would be lost.
    await waitForMessage(worker, "ready");
    // This worker became ready after the shutdown had begun, so nothing else would stop it.
    if (this.isStopping) return worker.terminate();
    this.#workers.push(worker);
    worker.postMessage(command);
    await waitForMessage(worker, "listening");
  }

  /**
   * Stops every server as `Server.stop()` does. All threads close their listeners
   * before one of them sends a response that it holds.
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
 * Ends the process if a worker cannot listen. Otherwise it would serve on fewer cores
 * unnoticed.
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

/** The global scope of a worker, since TypeScript has loaded the types of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<WorkerCommand>) => void;
  postMessage(message: WorkerMessage): void;
};

/** Runs a server in a worker. The main thread commands it to listen and to stop. */
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
      const handler = createHandler({ ...listen, isStopping, threads });
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
