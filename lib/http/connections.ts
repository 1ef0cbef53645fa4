/**
 * Finds requests that come over HTTP/2, where an unread body stops the other requests of its
 * connection. Deno does not tell the version, and a request over HTTP/2 may have a Host
 * header, too. But only there, several requests of one connection are in progress at once.
 */

/** The client's address, as `Deno.serve` gives it. */
export interface Client {
  readonly remoteAddr?: {
    readonly transport?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
}

/** Is called when another request comes over the same connection. */
type Listener = () => void;

/** The connections over which large bodies are being received. */
export class Connections {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Notes a request: calls the listeners of its connection, and returns whether it has any. */
  noteRequest(client: Client): boolean {
    // Most requests come while no large body is received; to read an address takes time.
    if (this.#listeners.size === 0) return false;
    const listeners = this.#listeners.get(toKey(client));
    listeners?.forEach((listener) => listener());
    return listeners !== undefined;
  }

  /** Adds the listener of a body that is being received. */
  add(client: Client, listener: Listener): void {
    // An address without a port, such as that of a Unix socket, is no connection's own.
    if (client.remoteAddr?.port === undefined) return;
    const key = toKey(client);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
  }

  delete(client: Client, listener: Listener): void {
    const key = toKey(client);
    const listeners = this.#listeners.get(key);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }
}

function toKey({ remoteAddr }: Client): string {
  return `${remoteAddr?.hostname} ${remoteAddr?.port}`;
}
