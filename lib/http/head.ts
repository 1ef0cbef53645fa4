/** Answers to HEAD (RFC 9110, section 9.3.2). */

/**
 * Leaves the length of a body in the place of the body. The server would send it
 * over HTTP/2, which RFC 9113, section 8.1.1, forbids.
 */
export async function dropBody(response: Response): Promise<Response> {
  // Nothing to drop, and no length to tell: 204 and 304.
  if (response.body === null) return response;
  const { status, headers } = response;
  if (headers.has("content-length")) await response.body.cancel();
  else {
    const { byteLength } = await response.bytes();
    headers.set("content-length", String(byteLength));
  }
  return new Response(null, { status, headers });
}
