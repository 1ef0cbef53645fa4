/** CORS preflights (Fetch standard, section "HTTP extensions"). */

/** How long a browser may keep a preflight's answer, in seconds: one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/** Answers a CORS preflight, and any other OPTIONS, with the allowed methods. */
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
