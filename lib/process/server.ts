/** An HTTP server that shuts down gracefully, and listens again if the listener fails. */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "./exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError } from "./log.ts";

/** Time for which a server that shuts down still accepts requests, in milliseconds. */
const MIN_DRAIN_MS = 300;

/** Longest time for which it waits for requests in progress, in milliseconds. */
const MAX_DRAIN_MS = 4_300;

/**
 * Time between checks whether it can stop waiting, in milliseconds. On a busy computer, a
 * single long timer could fire before requests that have arrived are handled.
 */
const DRAIN_CHECK_MS = 20;

/**
 * Time between closing the listener and sending the delayed responses, in milliseconds, in
 * which other threads close their listeners.
 */
const CLOSE_MS = 100;

/** Time between attempts to listen again, in milliseconds. */
const RETRY_MS = 100;

/** The address of a server. */
export interface Address {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** Whether servers on other threads of the process listen on the same address. */
  readonly isShared: boolean;
}

/**
 * Returns the port that threads can share. Checks that no other process listens on it, because
 * the system would also share it with that process.
 *
 * @throws {ExitError} with status 1 if the process cannot listen on the address.
 */
export function findSharedPort(address: Address): number {
  const { port, host: hostname } = address;
  using listener = listenOn(address, () => Deno.listen({ port, hostname }));
  return listener.addr.port;
}

function listenOn<Listener>(
  { host, port }: Address,
  listen: () => Listener,
): Listener {
  try {
    return listen();
  } catch (error) {
    const reason = describeListenError(error);
    const message = `cannot listen on ${host} port ${port}: ${reason}`;
    throw new ExitError(1, message);
  }
}

function describeListenError(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) {
    return "the port is in use, choose another with --port or PORT";
  }
  const message = error instanceof Error ? error.message : String(error);
  // A port below 1024 can need a privilege.
  if (error instanceof Deno.errors.PermissionDenied) return message;
  return `HOST or --host must be an address of this host that --allow-net permits, such as 0.0.0.0 or 127.0.0.1: ${message}`;
}

/** The HTTP server of one thread. */
export class Server {
  readonly #shutdown = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  /** Number of requests whose response isn't ready yet. */
  #pendingRequests = 0;
  readonly #closed = Promise.withResolvers<void>();

  get shutdown(): AbortSignal {
    return this.#shutdown.signal;
  }

  /**
   * Starts to listen, and handles requests with `handler`. Returns the TCP port. If the
   * listener fails later, listens again as soon as possible.
   *
   * @throws {ExitError} with status 1 if the server cannot listen.
   */
  listen(handler: FetchHandler, address: Address): number {
    const { port, host: hostname, isShared: reusePort } = address;
    const server = listenOn(
      address,
      () =>
        Deno.serve(
          { port, hostname, reusePort, onListen() {} },
          (request, info) => this.#respond(handler(request, info)),
        ),
    );
    this.#server = server;
    server.finished.catch((error) => {
      // Deno ends a server if no file descriptor is left for a connection. The log gets no
      // stack: to write one, Deno opens a file, and panics if it cannot.
      logError(`the listener failed, listening again: ${error.message}`);
      return this.#listenAgain(handler, { ...address, port: server.addr.port });
    });
    return server.addr.port;
  }

  async #listenAgain(handler: FetchHandler, address: Address): Promise<void> {
    await delay(RETRY_MS);
    if (this.shutdown.aborted) return;
    try {
      this.listen(handler, address);
    } catch {
      await this.#listenAgain(handler, address);
    }
  }

  #respond(
    response: Response | Promise<Response>,
  ): Response | Promise<Response> {
    if (!(response instanceof Promise)) return this.#delayResponse(response);
    this.#pendingRequests += 1;
    return response.then(this.#finish);
  }

  readonly #finish = (response: Response): Response | Promise<Response> => {
    this.#pendingRequests -= 1;
    return this.#delayResponse(response);
  };

  /**
   * During a shutdown, delays a response until the listener is closed, and adds
   * `Connection: close`. A client that received the response earlier could open a new
   * connection just as the listener closes, and lose its next request. A response that
   * already has `Connection: close`, such as a health check's, is sent at once.
   */
  #delayResponse(response: Response): Response | Promise<Response> {
    if (!this.shutdown.aborted) return response;
    const { headers } = response;
    if (headers.get("connection") === "close") return response;
    headers.set("connection", "close");
    return this.#closed.promise.then(() => response);
  }

  /**
   * Shuts down gracefully. The listener stays open for 300 ms, and for up to 4.3 s while
   * responses aren't ready, because `HttpServer.shutdown()` interrupts request bodies.
   * Resolves when all responses are sent, which is never if a client doesn't read.
   */
  async shutDown(): Promise<void> {
    const start = performance.now();
    this.#shutdown.abort();
    let elapsedMs = 0;
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
