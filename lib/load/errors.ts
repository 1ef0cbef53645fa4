/** Errors of waiting or slow requests; `lib/http/load_error.ts` makes HTTP errors of them. */

/**
 * The error for a large body or answer that gets no memory, or whose transfer is too slow
 * while other requests wait for memory.
 */
export class BusyError extends Error {
  override name = "BusyError";
}

/** The error for a body that exceeds its time limit. */
export class LateError extends Error {
  override name = "LateError";

  /** @param timeoutMs The time limit that the body has exceeded, in milliseconds. */
  constructor(readonly timeoutMs: number) {
    super();
  }
}

/** The error for a request whose client has disconnected while the request waited. */
export class DisconnectError extends Error {
  override name = "DisconnectError";
}
