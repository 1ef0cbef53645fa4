/**
 * Responses to HEAD (RFC 9110, section 9.3.2).
 *
 * @module
 */

import { type Answer, toResponse } from "./answer.ts";

/** Makes the response to HEAD from the answer to the same request with GET. */
export async function answerHead(
  answer: Answer | Promise<Answer>,
): Promise<Response> {
  return await dropBody(toResponse(await answer));
}

/**
 * Returns a response without its body, for a HEAD request, with the length of the body as
 * `Content-Length`. Over HTTP/1.1, Deno itself removes the body of a response to HEAD, but
 * over HTTP/2 it sends the body, which RFC 9113 forbids (section 8.1.1).
 */
export async function dropBody(response: Response): Promise<Response> {
  // Responses with status 204 or 304 have no body, and need no `Content-Length`.
  if (response.body === null) return response;
  const { status, headers } = response;
  const { byteLength } = await response.bytes();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}
