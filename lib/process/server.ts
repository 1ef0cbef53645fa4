/** A server that stops without losing an answer and outlives its listener. */

import { logError, logEvent } from "../log.ts";
import type { FetchHandler } from "../http/middleware.ts";

/**
 * Pause between two looks at whether clients have fallen silent, in milliseconds.
 * One long pause could end before the requests that came in it are seen, where
 * the machine is busy.
 */
const PAUSE_MS = 20;

/** Pauses without a request after which clients count as silent. */
const SILENT_PAUSES = 10;

/** Pauses to wait for silence at most. */
const MAX_PAUSES = 30;

/** Longest time for requests to arrive whole when stopping, in milliseconds. */
export const ARRIVAL_MS = 4_000;

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
  /** Called each time it listens, with the URL to open; logs it by default. */
  readonly onListen?: (url: string) => void;
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
  /** Pauses since the last request, while stopping. */
  #silentPauses = 0;
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
      const port = this.#serve(handler, address);
      initializeThread();
      return port;
    } catch (error) {
      throw explain(error, address);
    }
  }

  #serve(handler: FetchHandler, address: Address): number {
    const { port, host, isShared = false, onListen = logListening } = address;
    this.#server = Deno.serve({
      port,
      hostname: host,
      reusePort: isShared,
      onListen: ({ port }) => onListen(toUrl(host, port)),
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
   * Stops: holds answers back until clients have fallen silent, lets requests
   * arrive, closes the listener, where others listen on the same port waits until
   * they have closed too, and lets answers depart, which tell clients to close
   * their connections. What has not ended after about 9 seconds, such as a
   * stalled body, is given up.
   *
   * A client loses no request that it sends within 200 ms of its last answer on
   * the same connection. A connection that is made in the moment in which the
   * listener closes is reset by the system.
   */
  async stop(othersClosed?: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    await this.#silence();
    // Closing the listener cuts off bodies that are still arriving.
    await atMost(ARRIVAL_MS, this.#allAnswered());
    const finished = this.#server?.shutdown()
      .catch((error) => logError("the listener did not close", error));
    // It closes when the event loop turns; what connects until then is reset.
    await delay(0);
    await othersClosed?.();
    this.#listenerClosed.resolve();
    await atMost(DEPARTURE_MS, finished);
  }

  /** Waits until no request has come for a while, within bounds. */
  async #silence(): Promise<void> {
    for (
      let n = 0;
      n < MAX_PAUSES && this.#silentPauses < SILENT_PAUSES;
      n += 1
    ) {
      await delay(PAUSE_MS);
      this.#silentPauses += 1;
    }
  }

  async #allAnswered(): Promise<void> {
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve) => this.#onAllAnswered = resolve);
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
    // The pause that it came in does not count.
    this.#silentPauses = -1;
    return this.#listenerClosed.promise.then(() => {
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
 * Lets Deno's TypeScript parser look up the size of this thread's stack, for which
 * it opens a file once. Without a free file descriptor that look-up ends the
 * process, and it is due at the first error whose stack is logged. Deno 2.5 does
 * not have the function.
 */
async function initializeThread(): Promise<void> {
  const { stripTypeScriptTypes } = await import("node:module");
  stripTypeScriptTypes?.("if (a) b()");
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
  return `http://${toAuthority(host, port)}`;
}

/** Host and port as in a URL, an IPv6 address in brackets. */
function toAuthority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Checks that nobody listens on an address yet, which servers that share a port
 * would not notice.
 *
 * @throws {ListenError} where it cannot be listened on, saying what to do.
 */
export function assertFree({ port, host }: Address): void {
  try {
    Deno.listen({ port, hostname: host }).close();
  } catch (error) {
    throw explain(error, { port, host });
  }
}

function explain(error: unknown, { port, host }: Address): ListenError {
  if (error instanceof Deno.errors.AddrInUse) {
    return new ListenError(
      `port ${port} is taken: choose another with --port or PORT`,
    );
  }
  const reason = error instanceof Deno.errors.NotCapable
    ? `not permitted: listen on 0.0.0.0 for every address of this machine, or run main.ts with --allow-net=${
      toAuthority(host, port)
    }`
    : error instanceof Error
    ? error.message
    : String(error);
  return new ListenError(`cannot listen on ${host} port ${port}: ${reason}`);
}
