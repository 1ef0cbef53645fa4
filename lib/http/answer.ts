/** The values that handlers return, and the responses that are made of them. */

import type { Bytes } from "../values/buffer.ts";

/**
 * The answer to a request. A JSON text is sent with status 200, and an object as its JSON
 * text. A `Response` is any other kind of response.
 */
export type Answer = object | JsonText | Response;

/** A JSON text, or its UTF-8 bytes. */
export type JsonText = string | Bytes;

/**
 * `Content-Type` of JSON. RFC 8259 needs no charset, but Windows PowerShell 5.1 reads JSON
 * without one as Latin-1.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

const JSON_HEADERS = { headers: { "content-type": JSON_TYPE } };

/**
 * Option of a response whose body is compressed already: tells workerd (the runtime of
 * Cloudflare Workers) not to compress it again. Other runtimes ignore it.
 */
export const ENCODED = { encodeBody: "manual" };

/** Writes an object as JSON; a JSON text stays as it is. */
export function toJsonText(answer: Exclude<Answer, Response>): JsonText {
  return typeof answer === "string" || answer instanceof Uint8Array
    ? answer as JsonText
    : JSON.stringify(answer);
}

/**
 * Makes the response to send from the answer of a handler, with the headers that every
 * response has. `Cache-Control` is `no-store`, unless the answer is a `Response` that has one.
 */
export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) {
    const cacheControl = answer.headers.get("cache-control");
    return addCommonHeaders(answer, cacheControl ?? "no-store");
  }
  const response = new Response(toJsonText(answer), JSON_HEADERS);
  return addCommonHeaders(response, "no-store");
}

function addCommonHeaders(response: Response, cacheControl: string): Response {
  const { headers } = response;
  headers.set("access-control-allow-origin", "*");
  headers.set("x-content-type-options", "nosniff");
  headers.set("cache-control", cacheControl);
  return response;
}
