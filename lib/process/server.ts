/** An HTTP server that loses no requests when it shuts down, and opens a new listener if one fails. */

import { keepFreedMemory } from "../buffer.ts";
import { logError, logEvent } from "../log.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { type ListenOptions, toListenError, toUrl } from "./address.ts";

/**
 * Length of an interval after which a shutdown checks whether requests have come, in
 * milliseconds. Several short intervals are used, not a long one: on a busy machine, a long
 * timer could fire before the service has handled the requests that came meanwhile.
 */
const IDLE_CHECK_MS = 20;

/**
 * Number of consecutive intervals (`IDLE_CHECK_MS`) without a request after which a
 * shutdown goes on to close the listener.
 */
const IDLE_CHECKS = 10;

/**
 * Largest number of intervals (`IDLE_CHECK_MS`) for which a shutdown waits until clients
 * send no more requests.
 */
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
  /** During a shutdown, number of full intervals (`IDLE_CHECK_MS`) since the last request. */
  #idleChecks = 0;
  readonly #listenersClosed = Promise.withResolvers<void>();

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Listens, and answers requests with the handler, until `stop()` is called. Returns the
   * port. If the listener fails later, for lack of file descriptors, a new one is opened on
   * this port.
   *
   * @throws {ListenError} if the address cannot be listened on.
   */
  listen(handler: FetchHandler, options: ListenOptions): number {
    keepFreedMemory();
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
   * Stops the server without losing requests, in these steps:
   *
   * 1. Hold back all responses, and wait until no request has come for 200 ms (at most 0.6
   *    s).
   * 2. Wait until the responses to all requests have been created (at most 4 s).
   * 3. Close the listener. Then call `waitForOtherListeners`, which resolves when the
   *    listeners of other threads on the same port are closed.
   * 4. Send the responses that were held back, with `Connection: close` (at most 4 s).
   *
   * Requests that have no response by then are dropped.
   *
   * A client loses no request that it sends on an open connection within 200 ms of the
   * previous response. A client that connects at the moment when the listener closes gets a
   * connection reset from the system.
   */
  async stop(waitForOtherListeners?: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    await this.#waitForIdleClients();
    // The listener is still open here, since closing it would cut off bodies that are being
    // received.
    await waitAtMost(REQUEST_DRAIN_MS, this.#waitForRequests());
    const finished = this.#server?.shutdown()
      .catch((error) => logError("the listener did not close", error));
    // Waits for the next iteration of the event loop, in which `shutdown()` closes the
    // listener.
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
   * Counts a request as finished, and returns its response. This is one function for all
   * requests, since creating a function for each request takes time.
   */
  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#requestsInFlight -= 1;
    if (this.#requestsInFlight === 0) this.#onDrained();
    return this.#holdIfStopping(response);
  };

  /**
   * During a shutdown, holds a response back until all listeners on the port are closed,
   * and adds `Connection: close` to it. A client that got the response earlier would open a
   * new connection to a listener that is about to close, and lose its next request.
   */
  #holdIfStopping(response: Response): Response | Promise<Response> {
    if (!this.#isStopping) return response;
    // −1, so that the counter is 0 at the end of the current interval, in which this
    // request came.
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
 * Loads Deno's TypeScript parser, so that the process does not end later for lack of file
 * descriptors. In Deno 2.9.6, the first use of the parser on the main thread opens a file,
 * and the process ends if that fails. The first tool call would be such a use, since it
 * loads a package.
 *
 * A single server calls this function after its first response, since loading takes a sixth
 * of the time from start to first response. A cluster calls it while its workers start. In
 * Deno 2.5 it does nothing.
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
