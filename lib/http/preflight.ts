/**
 * Responses to OPTIONS, which include CORS preflights (Fetch standard, "CORS protocol").
 *
 * @module
 */

/** Time for which a browser may cache the response to a preflight, in seconds: one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Answers OPTIONS with 204 and the allowed methods, such as `GET, HEAD`. All headers
 * that a preflight asks for are allowed.
 */
export function answerOptions(request: Request, allow: string): Response {
  const headers = new Headers({
    allow,
    "access-control-expose-headers": "allow",
    "access-control-allow-methods": allow,
    "access-control-max-age": PREFLIGHT_MAX_AGE_SECONDS,
    vary: "access-control-request-headers",
  });
  const asked = request.headers.get("access-control-request-headers");
  if (asked) headers.set("access-control-allow-headers", asked);
  return new Response(null, { status: 204, headers });
}
