/** An HTTP server that shuts down gracefully and recovers from a failed listener. */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "./exit_error.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { logError } from "../log.ts";

/** How long a server still accepts requests after a shutdown starts, in milliseconds. */
const MIN_DRAIN_MS = 300;

/** How long a shutdown waits for requests in progress, in milliseconds. */
const MAX_DRAIN_MS = 4_300;

/**
 * Interval between checks for requests in progress, in milliseconds. On a busy computer, a
 * single long timer could fire before the server has handled requests that already arrived.
 */
const DRAIN_CHECK_MS = 20;

/**
 * Time between closing the listener and sending the delayed responses, in milliseconds.
 * During this time, the other threads close their listeners.
 */
const CLOSE_MS = 100;

/** Interval between attempts to listen again, in milliseconds. */
const RETRY_MS = 100;

export interface Address {
  /** TCP port. 0 chooses a free port. */
  readonly port: number;
  readonly host: string;
  /** Whether other threads listen on the same address. */
  readonly isShared: boolean;
}

/**
 * Returns the port that all threads share. Fails if another process is listening on it, because
 * the operating system would otherwise share the port with that process too.
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
  // Listening on a port below 1024 can require privileges.
  if (error instanceof Deno.errors.PermissionDenied) return message;
  return `HOST or --host must be an address of this host that --allow-net permits, such as 0.0.0.0 or 127.0.0.1: ${message}`;
}

/** The HTTP server of one thread. */
export class Server {
  readonly #shutdown = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #pendingRequests = 0;
  /** Resolves when the listener is closed. */
  readonly #closed = Promise.withResolvers<void>();
  /** Aborted when a shutdown starts. */
  readonly shutdown: AbortSignal = this.#shutdown.signal;

  /**
   * Starts listening, and returns the TCP port. If the listener fails later, listens again as
   * soon as possible.
   *
   * @throws {ExitError} with status 1 if the server cannot listen.
   */
  listen(handler: FetchHandler, address: Address): number {
    const { port, host: hostname, isShared: reusePort } = address;
    const options = { port, hostname, reusePort, onListen() {} };
    const respond: FetchHandler = (request, info) =>
      this.#respond(handler(request, info));
    const server = listenOn(address, () => Deno.serve(options, respond));
    this.#server = server;
    server.finished.catch((error) => {
      // Deno stops a server that runs out of file descriptors. Don't log the stack: Deno
      // opens a file to format the stack, and panics if that fails.
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
    return response.then((response) => {
      this.#pendingRequests -= 1;
      return this.#delayResponse(response);
    });
  }

  /**
   * During a shutdown, adds `Connection: close` and delays the response until the listener is
   * closed. A client that reconnected earlier could lose its next request. A response that
   * already has the header, such as a health check's, isn't delayed.
   */
  #delayResponse(response: Response): Response | Promise<Response> {
    if (!this.shutdown.aborted) return response;
    const { headers } = response;
    if (headers.get("connection") === "close") return response;
    headers.set("connection", "close");
    return this.#closed.promise.then(() => response);
  }

  /**
   * Shuts down gracefully. Keeps the listener open for 300 ms, or up to 4.3 s while requests
   * are in progress, because `HttpServer.shutdown()` interrupts request bodies. Never
   * resolves if a client doesn't read its response.
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
