import { HttpError } from "../http_error.ts";
import type { Holder } from "./room.ts";

let requests = 0;

/**
 * A request with a body or result above 32 KiB. It is worked on when it has reserved a
 * part of the room `Load.work`, which is called its turn. Meanwhile its client waits for
 * the service, so it never counts as slow.
 */
export class LargeRequest implements Holder {
  readonly large = this;
  readonly startTime = Infinity;
  readonly movedBytes = 0;
  /** Number of large requests that came before this one. */
  readonly order = requests++;
  /** Time that this request has waited for memory or its turn, in milliseconds. */
  waitedMs = 0;
  /** Whether the connection is closed after the response. */
  mustClose = false;
  /** The pending read of the body, if a single `bytes()` call reads the whole body. */
  reading: Promise<unknown> | undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    // Only read when needed, since creating it takes time. A signal that is first read
    // after an HTTP/2 reset never aborts (Deno 2.9.6).
    return this.#request.signal;
  }

  /** Creates the error for a request whose client has disconnected. */
  createDisconnectError(): HttpError {
    return new HttpError(499, "the client has disconnected");
  }

  abort(): void {}
}
