/**
 * The address under which a client reaches the service, for the calls that are shown to it.
 *
 * @module
 */

/** The address if the `Host` of a request is none, or an odd one. */
const DEFAULT_ADDRESS = "http://localhost:8000";

/** Matches a host name or an IP address, and a port if there is one. */
const PLAIN_HOST =
  /^(?:[A-Za-z0-9][\w.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Matches a path of at most 200 characters whose segments have letters, digits, `_`, `-`
 * and `.`, but not only dots.
 */
const PLAIN_PATH = /^(?=.{1,200}$)(?:\/(?!\.+(?:\/|$))[\w.-]+)+$/;

/** Matches the authority of an absolute URL. */
const AUTHORITY = /^[^/]*\/\/([^/?#]*)/;

/**
 * Returns the base address of a request without a slash at its end, such as
 * `https://example.com/tools`. The host is that of the request; a proxy tells the scheme by
 * `X-Forwarded-Proto` and a path by `X-Forwarded-Prefix`. Values that are not plain are
 * ignored, so the address has only letters, digits and `:/._-[]`, which neither HTML nor
 * a double-quoted text in a shell interprets.
 */
export function readBaseAddress({ url, headers }: Request): string {
  // HTTP/2 has no `Host`.
  const host = headers.get("host") ?? AUTHORITY.exec(url)?.[1] ?? "";
  if (!PLAIN_HOST.test(host)) return DEFAULT_ADDRESS;
  const proto = headers.get("x-forwarded-proto");
  const scheme = proto === "http" || proto === "https"
    ? proto
    : url.startsWith("https:")
    ? "https"
    : "http";
  const prefix = headers.get("x-forwarded-prefix")?.replace(/\/$/, "") ?? "";
  return `${scheme}://${host}${PLAIN_PATH.test(prefix) ? prefix : ""}`;
}
