/** A server that stops without losing requests, and replaces a listener that fails. */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "../system/exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError, logEvent } from "../system/log.ts";

/**
 * Time for which a server that stops goes on to accept requests, in milliseconds. A client that
 * sends its next request within this time after a response does not lose it.
 */
const GRACE_MS = 300;

/** Longest time from the stop to the closing of the listener, in milliseconds. */
const MAX_DRAIN_MS = 4_300;

/**
 * Interval of the checks whether these times are over, in milliseconds. On a busy machine,
 * one long timer could fire before the requests that have come meanwhile are handled.
 */
const CHECK_MS = 20;

/**
 * Time from the closing of the listener to the sending of the responses that were held
 * back, in milliseconds. Meanwhile the other threads close their listeners.
 */
const CLOSE_MS = 100;

/** Time from the failure of a listener to the attempt to open a new one, in milliseconds. */
const RETRY_MS = 100;

/** The address of a server, and how it is used. */
export interface Address {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** Whether servers on other threads of the process listen there, too. */
  readonly isShared: boolean;
  /** Whether the server is the first of the process, and must be able to listen at once. */
  readonly isFirst: boolean;
}

/** A server on one thread. */
export class Server {
  /** Whether `stop()` was called. */
  isStopping = false;
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  /** Number of requests that have no response yet. */
  #pendingRequests = 0;
  readonly #closed = Promise.withResolvers<void>();

  /**
   * Listens, and answers requests with the handler until `stop()` is called. Returns the
   * port. A listener that fails is opened again until it succeeds: clients may have taken
   * all file descriptors of the process.
   *
   * @throws {ExitError} if the first listener of the process cannot be opened.
   */
  listen(handler: FetchHandler, address: Address): number {
    try {
      this.#open(handler, address);
    } catch (error) {
      const reason = error instanceof Deno.errors.AddrInUse
        ? "it is taken, choose another with --port or PORT"
        : String(error instanceof Error ? error.message : error);
      const place = `${address.host} port ${address.port}`;
      const message = `cannot listen on ${place}: ${reason}`;
      if (address.isFirst) throw new ExitError(1, message);
      // Without the stack: to write it, Deno opens a file, and panics if it cannot.
      logError(message);
      this.#listenAgain(handler, address);
    }
    return this.#server?.addr.port ?? address.port;
  }

  #open(handler: FetchHandler, address: Address): void {
    const { port, host: hostname, isShared, isFirst } = address;
    // Throws if another process has the port: a shared listener would not notice.
    if (isShared && isFirst) Deno.listen({ port, hostname }).close();
    this.#server = Deno.serve(
      { port, hostname, reusePort: isShared, onListen() {} },
      (request, info) => this.#respond(handler(request, info)),
    );
    const open = { ...address, port: this.#server.addr.port, isFirst: false };
    this.#server.finished.catch((error) => {
      // The process has run out of file descriptors.
      logError("the listener failed, listening again", error);
      return this.#listenAgain(handler, open);
    });
  }

  async #listenAgain(handler: FetchHandler, address: Address): Promise<void> {
    await delay(RETRY_MS);
    if (!this.isStopping) this.listen(handler, address);
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

  /** Is called when the response to a request is ready. */
  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#pendingRequests -= 1;
    return this.#holdIfStopping(response);
  };

  /**
   * Holds a response back while the listener is about to close. A client that got it would
   * open a new connection, and lose its next request. A response that closes its connection
   * itself is sent at once, such as that of the health check.
   */
  #holdIfStopping(response: Response): Response | Promise<Response> {
    if (!this.isStopping) return response;
    const { headers } = response;
    if (headers.get("connection") === "close") return response;
    return this.#closed.promise.then(() => {
      headers.set("connection", "close");
      return response;
    });
  }

  /**
   * Stops without losing a request: goes on to accept requests for a moment, waits until
   * all have responses, closes the listener, and then sends the responses. Resolves when
   * all are sent, which is never if a client does not read.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    const start = performance.now();
    let elapsedMs = 0;
    // The listener stays open, since closing it would cut off bodies that are received.
    while (elapsedMs < (this.#pendingRequests > 0 ? MAX_DRAIN_MS : GRACE_MS)) {
      await delay(CHECK_MS);
      elapsedMs = performance.now() - start;
    }
    const finished = this.#server?.shutdown();
    await delay(CLOSE_MS);
    this.#closed.resolve();
    await finished;
  }
}

/** Logs the URL to open in a browser, which cannot open a wildcard address. */
export function logListening(host: string, port: number): void {
  const isWildcard = host === "0.0.0.0" || host === "::";
  const isIpv6 = host.includes(":");
  const name = isWildcard ? "localhost" : isIpv6 ? `[${host}]` : host;
  logEvent(`listening on http://${name}:${port}`);
}
