import { HttpError } from "../http_error.ts";
import type { Holder } from "./room.ts";

let requests = 0;

/**
 * A request with a body or result above 32 KiB. Only a few such requests are worked on at
 * a time, one or two of the largest size; the others wait in a queue. A request has its
 * turn once it has left the queue: a part of the limit `Load.work` is then reserved for
 * it until its response is created.
 *
 * As a `Holder` (see `room.ts`), the request never counts as slow: while it waits or has
 * its turn, its client waits for the service.
 */
export class LargeRequest implements Holder {
  readonly large = this;
  readonly startTime = Infinity;
  readonly movedBytes = 0;
  /** Number of large requests that came before this one. */
  readonly order = requests++;
  /** Time that this request has waited for memory or its turn so far, in milliseconds. */
  waitedMs = 0;
  /** Whether the connection is closed after the response. */
  mustClose = false;
  /**
   * The pending `bytes()` call that reads the whole body; `undefined` if none is pending.
   */
  reading: Promise<unknown> | undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  /** A signal that aborts when the client disconnects. */
  get signal(): AbortSignal {
    // The signal is read only when it is needed, since Deno creates it then, which takes
    // time. If it is first read after an HTTP/2 reset, it never aborts (Deno 2.9.6).
    return this.#request.signal;
  }

  /** Creates the 499 error for a request whose client has disconnected. */
  createDisconnectError(): HttpError {
    return new HttpError(499, "the client has disconnected");
  }

  abort(): void {}
}
