/**
 * Responses to HEAD (RFC 9110, section 9.3.2).
 *
 * @module
 */

import { type Answer, toResponse } from "./answer.ts";

/** Answers a HEAD request with the answer to GET, without its body. */
export async function answerHead(
  answer: Answer | Promise<Answer>,
): Promise<Response> {
  return await dropBody(toResponse(await answer));
}

/**
 * Makes a response fit for a HEAD request: removes the body, and adds its length as
 * `Content-Length`. Deno removes the body itself over HTTP/1.1, but would send it over
 * HTTP/2, which forbids this (RFC 9113, section 8.1.1).
 */
export async function dropBody(response: Response): Promise<Response> {
  // Responses with status 204 or 304 have no body, and need no `Content-Length`.
  if (response.body === null) return response;
  const { status, headers } = response;
  const { byteLength } = await response.bytes();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}
