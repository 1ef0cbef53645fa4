/** Information about a request from `Deno.serve`; other servers may leave members out. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
  /**
   * Address of the other end of the connection, client or proxy. That of a Unix socket has
   * no `hostname` and no `port`.
   */
  readonly remoteAddr?: {
    readonly transport?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
}
