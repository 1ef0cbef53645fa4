/** The server of the page. */

import { createHandler } from "../../routes/mod.ts";

/** Handles a request. */
export type Handle = (request: Request) => Response | Promise<Response>;

/** A request: its path below the prefix, with the query, and the time of its arrival. */
interface Arrival {
  readonly path: string;
  readonly time: number;
}

/** The service under a path. */
export class Service {
  readonly port: number;
  /** The handler of the service itself. */
  readonly handle: Handle = createHandler();
  /** Handles all requests instead of the service, if set. */
  override: Handle | undefined;
  /** All requests of browsers. */
  readonly arrivals: Arrival[] = [];
  /** Other paths that the browser requests by itself or because of a test. */
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
      if (!isOurs) return new Response("", { status: 404 });
      return (this.override ?? this.handle)(new Request(url, request));
    });
  }

  /** Stops listening, so requests fail in the network. */
  async stop(): Promise<void> {
    // Some responses might never end, as in a failed test.
    const stopping = this.#server.shutdown();
    await Promise.race([
      stopping,
      new Promise((wake) => setTimeout(wake, 500)),
    ]);
  }

  /** Lists requested URLs that could contain an input: with a query or an unknown path. */
  async listUnexpected(): Promise<string[]> {
    const paths = new Set(this.arrivals.map(({ path }) => path));
    const unexpected: string[] = [];
    for (const path of paths.difference(this.detours)) {
      const response = await this.handle(new Request(`http://host${path}`));
      await response.body?.cancel();
      if (path.includes("?") || !response.ok) unexpected.push(path);
    }
    return unexpected;
  }

  restart(): void {
    this.#server = this.#listen(this.port);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
