/** The server from which the page comes, and what may stand between the two. */

import { createHandler } from "../../routes/mod.ts";

/** A function that answers a request. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** A request that has come: its path below the prefix with the query, and the time. */
interface Arrival {
  readonly path: string;
  readonly time: number;
}

/** The service under a path. */
export class Service {
  readonly port: number;
  /** Answers of the service itself. */
  readonly handle: Answer = createHandler();
  /** Answers all requests instead of the service, if set. */
  answer: Answer | undefined;
  /** All requests of browsers so far. */
  readonly arrivals: Arrival[] = [];
  /** Other addresses to which the browser goes by itself, or because a test leads it there. */
  readonly detours = new Set(["/favicon.ico"]);
  readonly #prefix: string;
  #server;

  /** @param prefix Path under which a proxy serves the page. */
  constructor(prefix = "") {
    this.#prefix = prefix;
    this.#server = this.#listen(0);
    this.port = this.#server.addr.port;
  }

  #listen(port: number) {
    const options = { hostname: "127.0.0.1", port, onListen() {} };
    return Deno.serve(options, (request) => {
      const url = new URL(request.url);
      const isOurs = url.pathname.startsWith(`${this.#prefix}/`);
      if (isOurs) url.pathname = url.pathname.slice(this.#prefix.length);
      const isOfBrowser = /^Mozilla/.test(request.headers.get("user-agent")!);
      if (isOfBrowser) {
        this.arrivals.push({
          path: url.pathname + url.search,
          time: Date.now(),
        });
      }
      if (!isOurs) return new Response("elsewhere", { status: 404 });
      return (this.answer ?? this.handle)(new Request(url, request));
    });
  }

  /** Stops listening, so that requests fail in the network. */
  async stop(): Promise<void> {
    // Some answers may never end, as in a test that has failed.
    const stopping = this.#server.shutdown();
    await Promise.race([
      stopping,
      new Promise((wake) => setTimeout(wake, 500)),
    ]);
  }

  /**
   * Lists the addresses of requests so far in which an input could be: those with a query,
   * and those at which the service has nothing.
   */
  async listStrange(): Promise<string[]> {
    const paths = new Set(this.arrivals.map(({ path }) => path));
    const strange: string[] = [];
    for (const path of paths.difference(this.detours)) {
      const response = await this.handle(new Request(`http://host${path}`));
      await response.body?.cancel();
      if (path.includes("?") || !response.ok) strange.push(path);
    }
    return strange;
  }

  restart(): void {
    this.#server = this.#listen(this.port);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
