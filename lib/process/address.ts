/**
 * Addresses on which a server listens, and the errors for addresses on which it cannot
 * listen.
 *
 * @module
 */

/** A TCP port, with an address of this machine or a wildcard for all its addresses. */
interface Address {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
}

/** The address on which a server listens, and how it listens there. */
export interface ListenOptions extends Address {
  /** Whether servers on other threads of the process listen on the same port; false by default. */
  readonly isShared?: boolean;
  /** Called with the URL of the server each time a listener opens; logs the URL by default. */
  readonly onListen?: (url: string) => void;
}

/** The error for an address on which the process cannot listen. */
export class ListenError extends Error {
  override name = "ListenError";
}

/**
 * Returns the URL to open in a browser. A browser cannot open a wildcard address, so
 * `localhost` stands for it.
 */
export function toUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${toAuthority(host, port)}`;
}

/** Returns host and port as in a URL, with an IPv6 address in brackets. */
function toAuthority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Checks that no process listens on an address. Servers of several threads share a port;
 * without this check, a second process could share the port too, and would start without
 * an error.
 *
 * @throws {ListenError} if the address cannot be listened on.
 */
export function assertPortIsFree({ port, host }: Address): void {
  try {
    Deno.listen({ port, hostname: host }).close();
  } catch (error) {
    throw toListenError(error, { port, host });
  }
}

/**
 * Turns the error of a failed attempt to listen, such as a port in use, into a
 * `ListenError`. Its message tells the user how to solve the problem, if that is known.
 */
export function toListenError(
  error: unknown,
  { port, host }: Address,
): ListenError {
  if (error instanceof Deno.errors.AddrInUse) {
    return new ListenError(
      `port ${port} is taken: choose another with --port or PORT`,
    );
  }
  const reason = error instanceof Deno.errors.NotCapable
    ? `not permitted: listen on 0.0.0.0 for every address of this machine, or run main.ts with --allow-net=${
      toAuthority(host, port)
    }`
    : error instanceof Error
    ? error.message
    : String(error);
  return new ListenError(`cannot listen on ${host} port ${port}: ${reason}`);
}
