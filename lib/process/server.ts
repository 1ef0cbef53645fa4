/** An HTTP server that shuts down gracefully, and listens again if the listener fails. */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "../system/exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError, logEvent } from "../system/log.ts";

/**
 * Shortest time for which a server that stops goes on to accept requests, in milliseconds.
 * A client that sends its next request within this time after a response does not lose that
 * request.
 */
const MIN_DRAIN_MS = 300;

/** Longest time from `stop()` to the closing of the listener, in milliseconds. */
const MAX_DRAIN_MS = 4_300;

/**
 * Interval at which `stop()` checks whether `MIN_DRAIN_MS` or `MAX_DRAIN_MS` has passed, in
 * milliseconds. On a busy machine, one long timer could fire before the requests that have
 * come meanwhile are handled.
 */
const DRAIN_CHECK_MS = 20;

/**
 * Time from the closing of the listener to the sending of the responses that were held
 * back during the stop, in milliseconds. Meanwhile the other threads close their listeners.
 */
const CLOSE_MS = 100;

/** Time from the failure of a listener to the next attempt to listen, in milliseconds. */
const RETRY_MS = 100;

/** The address of a server, and whether other servers of the process use it, too. */
export interface Address {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** Whether servers on other threads of the process listen on the same address. */
  readonly isShared: boolean;
  /** Whether no server of the process has listened yet: then a failure ends the program. */
  readonly isFirst: boolean;
}

/** Returns the end of the message that the server cannot listen. */
function describeListenError(error: unknown): string {
  const message = String(error instanceof Error ? error.message : error);
  if (error instanceof Deno.errors.AddrInUse) {
    return "it is taken, choose another with --port or PORT";
  }
  if (error instanceof Deno.errors.NotCapable) {
    return "HOST or --host must be an address that --allow-net permits, such as 0.0.0.0 or 127.0.0.1";
  }
  // For a name that has no address, Deno has no class. A `URIError` is about a text such as
  // `localhost:8000`, which is no name.
  const isWrongHost = error instanceof Deno.errors.AddrNotAvailable ||
    error instanceof URIError ||
    message.startsWith("failed to lookup address");
  return isWrongHost
    ? `HOST or --host must be an address of this machine, such as 0.0.0.0 or 127.0.0.1: ${message}`
    : message;
}

/** The HTTP server of one thread. */
export class Server {
  readonly #stop = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  /** Number of requests whose response is not ready yet. */
  #pendingRequests = 0;
  readonly #closed = Promise.withResolvers<void>();

  /** Aborts when `stop()` is called. */
  get shutdown(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Listens, and answers requests with `handler`. Returns the TCP port. If the listener
   * fails, tries to listen again until that succeeds or `stop()` is called: clients may
   * have taken all file descriptors of the process.
   *
   * @throws {ExitError} with status 1 if the first listener of the process cannot be
   * opened.
   */
  listen(handler: FetchHandler, address: Address): number {
    try {
      this.#open(handler, address);
    } catch (error) {
      const reason = describeListenError(error);
      const place = `${address.host} port ${address.port}`;
      const message = `cannot listen on ${place}: ${reason}`;
      if (address.isFirst) throw new ExitError(1, message);
      // Logs no stack: to write one, Deno opens a file, and panics if it cannot open one.
      logError(message);
      this.#listenAgain(handler, address);
    }
    return this.#server?.addr.port ?? address.port;
  }

  #open(handler: FetchHandler, address: Address): void {
    const { port, host: hostname, isShared, isFirst } = address;
    // `Deno.listen()` throws if another process listens on the port. `Deno.serve()` with
    // `reusePort` does not: the system would share the port with that process.
    if (isShared && isFirst) Deno.listen({ port, hostname }).close();
    this.#server = Deno.serve(
      { port, hostname, reusePort: isShared, onListen() {} },
      (request, info) => this.#respond(handler(request, info)),
    );
    const open = { ...address, port: this.#server.addr.port, isFirst: false };
    this.#server.finished.catch((error) => {
      // Deno ends a server when the process has no file descriptor left for a connection.
      logError("the listener failed, listening again", error);
      return this.#listenAgain(handler, open);
    });
  }

  async #listenAgain(handler: FetchHandler, address: Address): Promise<void> {
    await delay(RETRY_MS);
    if (!this.shutdown.aborted) this.listen(handler, address);
  }

  #respond(
    response: Response | Promise<Response>,
  ): Response | Promise<Response> {
    if (response instanceof Promise) {
      this.#pendingRequests += 1;
      return response.then(this.#finish);
    }
    return this.#holdIfStopping(response);
  }

  /** Counts a request as answered, and returns its response. */
  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#pendingRequests -= 1;
    return this.#holdIfStopping(response);
  };

  /**
   * During a stop, holds a response back until the listener has closed, and then sends it
   * with `Connection: close`. A client that got the response before could open a new
   * connection just as the listener closes, and lose its next request. A response that has
   * `Connection: close` already, such as that of the health check, is sent at once.
   */
  #holdIfStopping(response: Response): Response | Promise<Response> {
    if (!this.shutdown.aborted) return response;
    const { headers } = response;
    if (headers.get("connection") === "close") return response;
    return this.#closed.promise.then(() => {
      headers.set("connection", "close");
      return response;
    });
  }

  /**
   * Stops gracefully: goes on to accept requests for 300 ms, and longer while responses are
   * not ready, but for at most 4.3 s in all. Then closes the listener, and 100 ms later
   * sends the responses that were held back. Resolves when all are sent, which is never if
   * a client does not read.
   */
  async stop(): Promise<void> {
    const start = performance.now();
    this.#stop.abort();
    let elapsedMs = 0;
    // The listener stays open: `shutdown()` cuts off bodies that are being received.
    while (
      elapsedMs < (this.#pendingRequests > 0 ? MAX_DRAIN_MS : MIN_DRAIN_MS)
    ) {
      await delay(DRAIN_CHECK_MS);
      elapsedMs = performance.now() - start;
    }
    const finished = this.#server?.shutdown();
    await delay(CLOSE_MS);
    this.#closed.resolve();
    await finished;
  }
}

/**
 * Logs the URL of the service. In place of a wildcard address, which a browser cannot open,
 * the URL has `localhost`.
 */
export function logListening(host: string, port: number): void {
  const isWildcard = host === "0.0.0.0" || host === "::";
  const isIpv6 = host.includes(":");
  const name = isWildcard ? "localhost" : isIpv6 ? `[${host}]` : host;
  logEvent(`listening on http://${name}:${port}`);
}
