import { HttpError } from "../http_error.ts";
import type { Holder } from "./room.ts";

let requests = 0;

/**
 * A request with a large body or result, as the holder of a turn to work. It waits for
 * the service, so it is never slow.
 */
export class LargeRequest implements Holder {
  readonly large = this;
  readonly startTime = Infinity;
  readonly movedBytes = 0;
  /** Number of large requests before this one. */
  readonly order = requests++;
  /** Time that it has waited for room, in milliseconds. */
  waitedMs = 0;
  /** Whether its connection is closed after its answer. */
  mustClose = false;
  /** The reading of its body, if one call reads it. */
  reading: Promise<unknown> | undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    // A signal that is first read after an HTTP/2 reset never aborts (Deno 2.9.6), and
    // reading it costs a small request time.
    return this.#request.signal;
  }

  /** Creates the error for a request whose client has disconnected. */
  createDisconnectError(): HttpError {
    return new HttpError(499, "the client has disconnected");
  }

  abort(): void {}
}
