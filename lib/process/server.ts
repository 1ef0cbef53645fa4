/** An HTTP server that loses no requests when it shuts down, and opens a new listener if one fails. */

import { logError, logEvent } from "../log.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { type ListenOptions, toListenError, toUrl } from "./address.ts";

/**
 * Time between two checks during a shutdown whether requests still come, in milliseconds.
 * There are many short intervals, not a single long one: on a busy machine, a long timer
 * could fire before requests that arrived meanwhile are handled.
 */
const IDLE_CHECK_MS = 20;

/** Number of consecutive intervals (`IDLE_CHECK_MS`) without a request after which clients count as idle. */
const IDLE_CHECKS = 10;

/** Largest number of intervals (`IDLE_CHECK_MS`) that a shutdown waits for clients to be idle. */
const MAX_IDLE_CHECKS = 30;

/** Longest time that a shutdown waits for responses to be created, in milliseconds. */
export const REQUEST_DRAIN_MS = 4_000;

/** Longest time that a shutdown waits for responses to be sent, in milliseconds. */
const RESPONSE_DRAIN_MS = 4_000;

/** Time from the failure of a listener to the attempt to open a new one, in milliseconds. */
const RETRY_MS = 100;

/** Serves with `Deno.serve`, shuts down without losing requests, and opens a new listener if one fails. */
export class Server {
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #isStopping = false;
  #requestsInFlight = 0;
  #onDrained = () => {};
  /** During a shutdown, number of intervals (`IDLE_CHECK_MS`) since the last request. */
  #idleChecks = 0;
  readonly #listenersClosed = Promise.withResolvers<void>();

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Listens, and answers requests with the handler, until `stop()` is called. If the
   * listener fails later, for lack of file descriptors, a new one is opened on the same
   * port. Returns the port.
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
    const handleFirst: Deno.ServeHandler = (request, info) => {
      respond = handle;
      info.completed?.then(preloadTypeScriptParser, preloadTypeScriptParser);
      return handle(request, info);
    };
    let respond = isShared ? handle : handleFirst;
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
   * 1. Hold all responses back from now on, and wait until clients have sent no
   *    request for 200 ms.
   * 2. Wait until the responses to all requests have been created.
   * 3. Close the listener. Then call `waitForOtherListeners`, which resolves when
   *    the listeners of other threads on the same port are closed.
   * 4. Send the responses that were held back, with `Connection: close`.
   *
   * After about 9 seconds, requests that have no response yet are dropped.
   *
   * A client that sends its next request on an open connection within 200 ms of the
   * previous response loses no request, since step 1 waits that long. But the system
   * resets a connection that a client opens at the moment when the listener closes.
   */
  async stop(waitForOtherListeners?: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    await this.#waitForIdleClients();
    // The listener is not closed yet, since that would cut off bodies that are still being received.
    await waitAtMost(REQUEST_DRAIN_MS, this.#waitForRequests());
    const finished = this.#server?.shutdown()
      .catch((error) => logError("the listener did not close", error));
    // `shutdown()` closes the listener only in the next iteration of the event loop.
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
   * Counts a request as finished, and returns its response. The function is created once
   * for all requests, since creating it for each takes time.
   */
  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#requestsInFlight -= 1;
    if (this.#requestsInFlight === 0) this.#onDrained();
    return this.#holdIfStopping(response);
  };

  /**
   * During a shutdown, holds a response back until all listeners on the port are closed.
   * The response tells the client to close its connection. A client that gets it earlier
   * would open a new connection to a listener that is about to close, and lose its next
   * request.
   */
  #holdIfStopping(response: Response): Response | Promise<Response> {
    if (!this.#isStopping) return response;
    // −1, since the current interval, in which this request came, must not count as idle.
    this.#idleChecks = -1;
    return this.#listenersClosed.promise.then(() => {
      response.headers.set("connection", "close");
      return response;
    });
  }
}

/** Logs the URL at which the service can be reached. */
export function logListening(url: string): void {
  logEvent(`listening on ${url}`);
}

/**
 * Loads Deno's parser of modules. In Deno 2.9.6, its first use on the main thread opens a
 * file; if no file descriptor is free then, the process ends. Without this function, the
 * first tool call would be the first use, since it loads a package. A single server calls
 * the function after its first response: before it, loading would take a sixth of the time
 * from start to first response. A cluster calls it while its workers start, since workers
 * may give all responses. Deno 2.5 lacks the function that loads the parser.
 */
export async function preloadTypeScriptParser(): Promise<void> {
  const { stripTypeScriptTypes } = await import("node:module");
  stripTypeScriptTypes?.("if (a) b()");
}

/** Waits for an event, at most for the given number of milliseconds. */
export async function waitAtMost(
  milliseconds: number,
  event: Promise<void> | undefined,
): Promise<void> {
  await Promise.race([event, delay(milliseconds)]);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
