/** Answers that any origin may read (Fetch standard, section "HTTP extensions"). */

/** What every answer carries, so that it can be read and is neither sniffed nor stored. */
export const COMMON_HEADERS = {
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

/** How long a browser may keep a preflight's answer, in seconds: one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/** Answers a CORS preflight, and any other OPTIONS, with the allowed methods. */
export function answerOptions(request: Request, allow: string): Response {
  const headers = new Headers({
    allow,
    "access-control-allow-methods": allow,
    "access-control-max-age": PREFLIGHT_MAX_AGE_SECONDS,
    vary: "access-control-request-headers",
  });
  const asked = request.headers.get("access-control-request-headers");
  if (asked) headers.set("access-control-allow-headers", asked);
  return new Response(null, { status: 204, headers });
}
