/**
 * Responses to HEAD (RFC 9110, section 9.3.2).
 *
 * @module
 */

/**
 * Replaces the body of a response by its `Content-Length`. Deno itself removes the
 * body over HTTP/1.1, but would send it over HTTP/2 (forbidden by RFC 9113, section
 * 8.1.1).
 */
export async function dropBody(response: Response): Promise<Response> {
  // 204 and 304 have neither a body nor a length.
  if (response.body === null) return response;
  const { status, headers } = response;
  if (headers.has("content-length")) await response.body.cancel();
  else {
    const { byteLength } = await response.bytes();
    headers.set("content-length", String(byteLength));
  }
  return new Response(null, { status, headers });
}
