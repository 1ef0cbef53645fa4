/** A server that stops without losing an answer and outlives its listener. */

import { logError, logEvent } from "../log.ts";
import type { FetchHandler } from "../http/middleware.ts";

/**
 * Time in which keep-alive clients are told to close, in milliseconds. A client
 * that sends a request in it gets the answer with `Connection: close`.
 */
const FAREWELL_MS = 100;

/** Longest time for requests to arrive whole when stopping, in milliseconds. */
const ARRIVAL_MS = 4_000;

/** Longest time for answers to be taken when stopping, in milliseconds. */
const DEPARTURE_MS = 4_000;

/** Pause before listening again after the listener failed, in milliseconds. */
const RETRY_MS = 100;

/** Where to listen. */
export interface Address {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** Whether servers on other threads listen on the port too; false by default. */
  readonly isShared?: boolean;
}

/** An address that cannot be listened on. */
export class ListenError extends Error {
  override name = "ListenError";
}

/** `Deno.serve` with a life of its own: listen, listen again, stop. */
export class Server {
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #isStopping = false;
  /** How many requests the handler has begun and not answered. */
  #unanswered = 0;
  #onAllAnswered = () => {};
  readonly #listenerClosed = Promise.withResolvers<void>();

  /** Whether `stop()` was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Listens and answers with the handler until `stop()`. A listener that fails
   * later, as it does when the process runs out of file descriptors, is
   * replaced on the same port. Returns the port.
   *
   * @throws {ListenError} where it cannot listen, saying what to do.
   */
  listen(handler: FetchHandler, address: Address): number {
    try {
      return this.#serve(handler, address);
    } catch (error) {
      throw explain(error, address);
    }
  }

  #serve(handler: FetchHandler, address: Address): number {
    const { port, host, isShared = false } = address;
    this.#server = Deno.serve({
      port,
      hostname: host,
      reusePort: isShared,
      onListen: ({ port }) => logEvent(`listening on ${toUrl(host, port)}`),
    }, (request, info) => this.#answer(handler, request, info));
    const { addr, finished } = this.#server;
    finished.catch((error) => {
      logError("the listener failed, listening again", error);
      this.#listenAgain(handler, { ...address, port: addr.port });
    });
    return addr.port;
  }

  #listenAgain(handler: FetchHandler, address: Address): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      try {
        this.#serve(handler, address);
      } catch (error) {
        logError("cannot listen yet", error);
        this.#listenAgain(handler, address);
      }
    }, RETRY_MS);
  }

  /**
   * Stops: tells clients to close their connections, lets requests arrive,
   * closes the listener and lets answers depart, where others listen on the same
   * port once they have closed too. What has not ended after about 8 seconds,
   * such as a stalled body, is given up.
   */
  async stop(othersClosed?: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    await delay(FAREWELL_MS);
    // Closing the listener cuts off bodies that are still arriving.
    await atMost(ARRIVAL_MS, this.#allAnswered());
    const finished = this.#server?.shutdown()
      .catch((error) => logError("the listener did not close", error));
    await othersClosed?.();
    this.#listenerClosed.resolve();
    await atMost(DEPARTURE_MS, finished);
  }

  #allAnswered(): Promise<void> {
    if (this.#unanswered === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onAllAnswered = resolve);
  }

  #answer(
    handler: FetchHandler,
    request: Request,
    info: Deno.ServeHandlerInfo,
  ): Response | Promise<Response> {
    const response = handler(request, info);
    if (!(response instanceof Promise)) return this.#hold(response);
    this.#unanswered += 1;
    return response.then((response) => {
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#onAllAnswered();
      return this.#hold(response);
    });
  }

  /**
   * Holds an answer that is ready while the server stops until nobody can
   * connect any more: a client told to close at once would come back on a new
   * connection, and lose its request there.
   */
  #hold(response: Response): Response | Promise<Response> {
    if (!this.#isStopping) return response;
    return this.#listenerClosed.promise.then(() => {
      response.headers.set("connection", "close");
      return response;
    });
  }
}

/** Waits for an event, but not longer than that. */
export async function atMost(
  milliseconds: number,
  event: Promise<void> | undefined,
): Promise<void> {
  await Promise.race([event, delay(milliseconds)]);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The address to open in a browser: a wildcard address cannot be opened. */
function toUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function explain(error: unknown, { port, host }: Address): ListenError {
  if (error instanceof Deno.errors.AddrInUse) {
    return new ListenError(
      `port ${port} is taken: choose another with --port or PORT`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ListenError(`cannot listen on ${host} port ${port}: ${reason}`);
}
