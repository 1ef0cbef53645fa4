/** The service that the page calls, and what may stand between the two. */

import { createHandler } from "../../routes/mod.ts";

/** A function that answers a request. */
type Answer = (request: Request) => Response | Promise<Response>;

/** The service under a path, and what may stand between it and the page. */
export class Service {
  readonly port: number;
  /** Answers of the service itself. */
  readonly handle: Answer;
  /** Answers the calls instead of the service, if set. */
  answer: Answer | undefined;
  /** Number of calls so far. */
  calls = 0;
  readonly #prefix: string;
  #server;
  /** Releases the answers that are held. */
  #release = () => {};

  constructor(
    { prefix = "", maxBodyBytes }: {
      /** Path under which a proxy serves the page. */
      readonly prefix?: string;
      readonly maxBodyBytes?: number;
    },
  ) {
    this.#prefix = prefix;
    this.handle = createHandler(maxBodyBytes ? { maxBodyBytes } : {});
    this.#server = this.#listen(0);
    this.port = this.#server.addr.port;
  }

  #listen(port: number) {
    const options = { hostname: "127.0.0.1", port, onListen() {} };
    return Deno.serve(options, (request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(`${this.#prefix}/`)) {
        return new Response("elsewhere", { status: 404 });
      }
      url.pathname = url.pathname.slice(this.#prefix.length);
      const inner = new Request(url, request);
      if (!url.pathname.startsWith("/api/")) return this.handle(inner);
      this.calls += 1;
      return (this.answer ?? this.handle)(inner);
    });
  }

  /** Stops listening, so that calls fail in the network. */
  stop(): Promise<void> {
    return this.#server.shutdown();
  }

  restart(): void {
    this.#server = this.#listen(this.port);
  }

  /** Holds the answers to calls from now on, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answer = (request) => promise.then(() => this.handle(request));
    this.#release = () => {
      this.answer = undefined;
      resolve();
    };
    return this.#release;
  }

  /** Stops for good, also after a test that has failed while answers were held. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#release();
    await this.stop();
  }
}
