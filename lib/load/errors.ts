/** The reasons for which a large request is not answered. */

/** The error for a large request that finds no room in time. */
export class BusyError extends Error {
  override name = "BusyError";
}

/** The error for a body that arrives too late. */
export class LateError extends Error {
  override name = "LateError";

  /** @param timeoutMs The time that the body had, in milliseconds. */
  constructor(readonly timeoutMs: number) {
    super();
  }
}

/** The error for a request whose client has disconnected, so that no answer is received. */
export class DisconnectError extends Error {
  override name = "DisconnectError";
}
