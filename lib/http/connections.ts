/**
 * Finds requests that come over HTTP/2, where an unread body stops the other requests of its
 * connection. Deno does not tell the HTTP version of a request. But only an HTTP/2 connection
 * has several requests in progress at once.
 */

import type { ServeInfo } from "./serve_info.ts";

/** Is called when another request comes over the connection of a body. */
type Listener = () => void;

/** The connections over which large bodies are being received. */
export class Connections {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Notes a request: calls the listeners of its connection, and returns whether it has any. */
  noteRequest(info: ServeInfo): boolean {
    // Mostly no large body is being received. To read the address would take time for nothing.
    if (this.#listeners.size === 0) return false;
    const listeners = this.#listeners.get(toKey(info));
    listeners?.forEach((listener) => listener());
    return listeners !== undefined;
  }

  /** Adds the listener of a body that is being received. */
  add(info: ServeInfo, listener: Listener): void {
    // Without a port, as over a Unix socket, all connections have the same address.
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
