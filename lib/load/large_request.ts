import { HttpError } from "../http_error.ts";
import type { Holder } from "./room.ts";

let requests = 0;

/**
 * A request whose body or result is larger than 32 KiB. Only a few such requests are worked
 * on at a time (one or two with the largest body), and the others wait in a queue. A
 * request has its turn from the moment it leaves the queue until its response is created.
 * During its turn, a part of the limit `Load.work` is reserved for it.
 *
 * The request itself is never aborted as too slow (`startTime` is `Infinity`), since its
 * client waits for the service.
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
    // Deno creates the signal when it is first read, which takes time, so it is read only
    // when it is needed. A signal that is created after the client has reset the HTTP/2
    // stream never aborts (Deno 2.9.6).
    return this.#request.signal;
  }

  /** Creates the 499 error for a request whose client has disconnected. */
  createDisconnectError(): HttpError {
    return new HttpError(499, "the client has disconnected");
  }

  abort(): void {}
}
