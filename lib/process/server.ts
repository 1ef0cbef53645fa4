/** An HTTP server that shuts down without losing requests and replaces a failed listener. */

import { logError, logEvent } from "../log.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { type ListenOptions, toListenError, toUrl } from "./address.ts";

/**
 * Interval of a shutdown's checks for new requests, in milliseconds. On a busy
 * machine, a single long timer could fire before the requests that arrived
 * meanwhile are handled; several short ones let them be handled first.
 */
const IDLE_CHECK_MS = 20;

/** Consecutive intervals without a request after which clients count as idle. */
const IDLE_CHECKS = 10;

/** Largest number of intervals that a shutdown waits for idle clients. */
const MAX_IDLE_CHECKS = 30;

/** Longest time to wait for requests in flight during a shutdown, in milliseconds. */
export const REQUEST_DRAIN_MS = 4_000;

/** Longest time to wait until responses are sent during a shutdown, in milliseconds. */
const RESPONSE_DRAIN_MS = 4_000;

/** Pause before listening again after the listener failed, in milliseconds. */
const RETRY_MS = 100;

/** `Deno.serve` with graceful shutdown and a new listener after a failure. */
export class Server {
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #isStopping = false;
  #requestsInFlight = 0;
  #onDrained = () => {};
  /** Intervals since the last request, during a shutdown. */
  #idleChecks = 0;
  readonly #listenersClosed = Promise.withResolvers<void>();

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Listens and responds with the handler until `stop()`. A listener that fails
   * later, because the process runs out of file descriptors, is replaced on the
   * same port. Returns the port.
   *
   * @throws {ListenError} if the address cannot be listened on.
   */
  listen(handler: FetchHandler, options: ListenOptions): number {
    try {
      return this.#serve(handler, options);
    } catch (error) {
      throw toListenError(error, options);
    }
  }

  #serve(handler: FetchHandler, options: ListenOptions): number {
    const { port, host, isShared = false, onListen = logListening } = options;
    const handle: Deno.ServeHandler = (request, info) =>
      this.#handle(handler, request, info);
    let respond: Deno.ServeHandler = (request, info) => {
      respond = handle;
      info.completed?.then(preloadTypeScriptParser, preloadTypeScriptParser);
      return handle(request, info);
    };
    this.#server = Deno.serve({
      port,
      hostname: host,
      reusePort: isShared,
      onListen: ({ port }) => onListen(toUrl(host, port)),
    }, (request, info) => respond(request, info));
    const { addr, finished } = this.#server;
    finished.catch((error) => {
      logError("the listener failed, listening again", error);
      this.#listenAgain(handler, { ...options, port: addr.port });
    });
    return addr.port;
  }

  #listenAgain(handler: FetchHandler, options: ListenOptions): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      try {
        this.#serve(handler, options);
      } catch (error) {
        logError("cannot listen yet", error);
        this.#listenAgain(handler, options);
      }
    }, RETRY_MS);
  }

  /**
   * Shuts down in these steps:
   *
   * 1. Hold new responses until clients have sent no request for 200 ms.
   * 2. Wait for the requests in flight.
   * 3. Close the listener. Then call `waitForOtherListeners`, which resolves when
   *    the listeners of other threads on the same port are closed.
   * 4. Send the held responses, with `Connection: close`.
   *
   * After about 9 seconds, requests that are still in flight are dropped.
   *
   * A client loses no request that it sends within 200 ms of its last response on
   * the same connection. The system resets a connection that is made at the moment
   * when the listener closes.
   */
  async stop(waitForOtherListeners?: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    await this.#waitForIdleClients();
    // The listener stays open, since closing it would cut off bodies that are still being received.
    await waitAtMost(REQUEST_DRAIN_MS, this.#waitForRequests());
    const finished = this.#server?.shutdown()
      .catch((error) => logError("the listener did not close", error));
    // The listener closes in the next turn of the event loop.
    await delay(0);
    await waitForOtherListeners?.();
    this.#listenersClosed.resolve();
    await waitAtMost(RESPONSE_DRAIN_MS, finished);
  }

  async #waitForIdleClients(): Promise<void> {
    for (
      let n = 0;
      n < MAX_IDLE_CHECKS && this.#idleChecks < IDLE_CHECKS;
      n += 1
    ) {
      await delay(IDLE_CHECK_MS);
      this.#idleChecks += 1;
    }
  }

  async #waitForRequests(): Promise<void> {
    if (this.#requestsInFlight === 0) return;
    await new Promise<void>((resolve) => this.#onDrained = resolve);
  }

  #handle(
    handler: FetchHandler,
    request: Request,
    info: Deno.ServeHandlerInfo,
  ): Response | Promise<Response> {
    const response = handler(request, info);
    if (!(response instanceof Promise)) return this.#holdIfStopping(response);
    this.#requestsInFlight += 1;
    return response.then(this.#finish);
  }

  /**
   * Counts a request as finished, and passes its response on. This function is created
   * once, since a new one for each request takes time.
   */
  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#requestsInFlight -= 1;
    if (this.#requestsInFlight === 0) this.#onDrained();
    return this.#holdIfStopping(response);
  };

  /**
   * Holds a response during a shutdown until every listener on the port is closed.
   * A client that is told to close its connection earlier would open a new one,
   * and lose its next request there.
   */
  #holdIfStopping(response: Response): Response | Promise<Response> {
    if (!this.#isStopping) return response;
    // The interval in which this request arrived does not count.
    this.#idleChecks = -1;
    return this.#listenersClosed.promise.then(() => {
      response.headers.set("connection", "close");
      return response;
    });
  }
}

/** Logs the URL to open. */
export function logListening(url: string): void {
  logEvent(`listening on ${url}`);
}

/**
 * Loads Deno's TypeScript parser, which opens a file when a thread first uses it. Deno
 * uses it for the first stack of an error that it logs; if no file descriptor is free
 * then, the process ends. Loading takes a sixth of the time to the first response (Deno
 * 2.9.6), and therefore comes after it. Deno 2.5 does not have the function.
 */
async function preloadTypeScriptParser(): Promise<void> {
  const { stripTypeScriptTypes } = await import("node:module");
  stripTypeScriptTypes?.("if (a) b()");
}

/** Waits for an event, but at most for a number of milliseconds. */
export async function waitAtMost(
  milliseconds: number,
  event: Promise<void> | undefined,
): Promise<void> {
  await Promise.race([event, delay(milliseconds)]);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
