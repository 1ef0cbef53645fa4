/** Servers on several threads that share a port and stop together. */

import type { FetchHandler } from "../http/middleware.ts";
import type { Stoppable } from "./program.ts";
import { assertPortIsFree } from "./address.ts";
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

/** Creates the request handler of one thread; `threads` is their total number. */
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
 * open, its listener is closed, or its server has stopped.
 */
type WorkerMessage = "ready" | "listening" | "closed" | "stopped";

/** A server on this thread and one in each worker. */
export class Cluster implements Stoppable {
  readonly #server = new Server();
  readonly #workers: Worker[] = [];

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#server.isStopping;
  }

  /**
   * Listens on this thread, and starts a worker with the given module for each
   * other core. Logs the URL once every thread listens.
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
    while (this.#workers.length < threads - 1) {
      const worker = new Worker(module, { type: "module" });
      // A command that is sent before the worker has loaded would be lost.
      waitForMessage(worker, "ready").then(() => worker.postMessage(command));
      this.#workers.push(worker);
    }
    this.#waitForWorkers("listening").then(workersListen.resolve);
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

function waitForMessage(worker: Worker, message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => {
      if (data === message) resolve();
    });
  });
}

/** The global scope of a worker; TypeScript loads the types of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<WorkerCommand>) => void;
  postMessage(message: WorkerMessage): void;
};

/** Runs a server in a worker, on the commands of the main thread. */
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
      server.listen(handler, {
        ...listen,
        isShared: true,
        onListen: () => self.postMessage("listening"),
      });
      return;
    }
    await server.stop(() => {
      self.postMessage("closed");
      return allClosed.promise;
    });
    self.postMessage("stopped");
  };
  self.postMessage("ready");
}
