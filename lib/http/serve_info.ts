/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
  /** Address of the client. */
  readonly remoteAddr?: {
    readonly transport?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
}
