/**
 * Detects HTTP/2, over which a body that is not read blocks the other requests of its
 * connection. Deno does not expose the HTTP version of a request; but only an HTTP/2
 * connection has several requests in progress at once.
 */

import type { ServeInfo } from "./serve_info.ts";

/** Is called when `noteRequest()` gets another request of the listener's connection. */
type Listener = () => void;

/** The connections over which bodies above 64 KiB, or of unknown length, are received. */
export class Connections {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Calls the listeners of a request's connection. Returns whether there are any. */
  noteRequest(info: ServeInfo): boolean {
    // Saves the time to read the client's address: mostly no connection has a listener.
    if (this.#listeners.size === 0) return false;
    const listeners = this.#listeners.get(toKey(info));
    listeners?.forEach((listener) => listener());
    return listeners !== undefined;
  }

  /**
   * Lets `listener` be called at each further request of a connection. Does nothing for a
   * connection without a port, as over a Unix socket: such connections cannot be told apart.
   */
  add(info: ServeInfo, listener: Listener): void {
    if (info.remoteAddr?.port === undefined) return;
    const key = toKey(info);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
  }

  delete(info: ServeInfo, listener: Listener): void {
    const key = toKey(info);
    const listeners = this.#listeners.get(key);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }
}

function toKey({ remoteAddr }: ServeInfo): string {
  return `${remoteAddr?.hostname} ${remoteAddr?.port}`;
}
