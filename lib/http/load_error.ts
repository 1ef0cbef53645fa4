/** HTTP errors for the errors of `lib/load`. */

import { BusyError, DisconnectError, LateError } from "../load/errors.ts";
import { HttpError } from "./http_error.ts";

/**
 * Returns the `HttpError` for an error of `lib/load`: 408, 503 or 499. Returns any other
 * error unchanged.
 *
 * @param headers Headers of a 408 or 503.
 */
export function toHttpError(
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): unknown {
  if (error instanceof LateError) {
    const message =
      `the body must arrive within ${error.timeoutMs} milliseconds`;
    return new HttpError(408, message, headers);
  }
  if (error instanceof BusyError) {
    const message = "too many large requests are in progress, please try again";
    return new HttpError(503, message, { ...headers, "retry-after": "1" });
  }
  if (error instanceof DisconnectError) {
    return new HttpError(499, "the client has disconnected");
  }
  return error;
}
