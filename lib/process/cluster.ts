/** Servers on several threads that share a port and stop as one. */

import type { FetchHandler } from "../http/middleware.ts";
import type { Stoppable } from "./program.ts";
import {
  ARRIVAL_MS,
  assertFree,
  atMost,
  logListening,
  Server,
} from "./server.ts";
import type { Settings } from "./settings.ts";

/** How much longer than this thread the others may take, in milliseconds. */
const LAG_MS = 500;

/** Makes the handler of one thread, of so many. */
type CreateHandler = (
  options: Settings & {
    readonly isStopping: () => boolean;
    readonly threads: number;
  },
) => FetchHandler;

/** What a worker is told: to listen, to stop, and that no thread listens any more. */
type Order =
  | { readonly listen: Settings; readonly threads: number }
  | "stop"
  | "depart";

/** Messages of a worker: it can be told to listen; it listens; it listens no more; it has stopped. */
type News = "ready" | "listening" | "closed" | "stopped";

/** A server on this thread and one in each worker. */
export class Cluster implements Stoppable {
  readonly #server = new Server();
  readonly #workers: Worker[] = [];

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#server.isStopping;
  }

  /**
   * Listens on this thread, and starts the module in a worker for each other
   * core. Logs the URL when every thread listens.
   *
   * @throws {ListenError} where it cannot listen, saying what to do.
   */
  listen(
    createHandler: CreateHandler,
    settings: Settings,
    module: string,
  ): void {
    assertFree(settings);
    const threads = navigator.hardwareConcurrency;
    const isStopping = () => this.isStopping;
    const handler = createHandler({ ...settings, isStopping, threads });
    const workersListen = Promise.withResolvers<void>();
    const port = this.#server.listen(handler, {
      ...settings,
      isShared: true,
      onListen: (url) => workersListen.promise.then(() => logListening(url)),
    });
    const order: Order = { listen: { ...settings, port }, threads };
    while (this.#workers.length < threads - 1) {
      const worker = new Worker(module, { type: "module" });
      // What it is told before it has loaded would be lost.
      hear(worker, "ready").then(() => worker.postMessage(order));
      this.#workers.push(worker);
    }
    this.#hearOfAll("listening").then(workersListen.resolve);
  }

  /** Stops every server, as `Server.stop()` does, none before all have closed. */
  async stop(): Promise<void> {
    const closed = this.#hearOfAll("closed");
    const stopped = this.#hearOfAll("stopped");
    this.#tell("stop");
    await this.#server.stop(async () => {
      await atMost(ARRIVAL_MS + LAG_MS, closed);
      this.#tell("depart");
    });
    await atMost(LAG_MS, stopped);
  }

  #tell(order: Order): void {
    for (const worker of this.#workers) worker.postMessage(order);
  }

  async #hearOfAll(news: News): Promise<void> {
    await Promise.all(this.#workers.map((worker) => hear(worker, news)));
  }
}

function hear(worker: Worker, news: News): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => {
      if (data === news) resolve();
    });
  });
}

/** The global scope of a worker; the types at hand are those of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage(news: News): void;
};

/** Serves in a worker as its cluster says. */
export function serveInWorker(
  createHandler: CreateHandler,
): void {
  const server = new Server();
  const departure = Promise.withResolvers<void>();
  self.onmessage = async ({ data: order }) => {
    if (order === "depart") return departure.resolve();
    if (order !== "stop") {
      const { listen, threads } = order;
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
      return departure.promise;
    });
    self.postMessage("stopped");
  };
  self.postMessage("ready");
}
