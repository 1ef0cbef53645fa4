/** The answers that handlers return, and the conversion of an answer to a response. */

import type { Bytes } from "../values/buffer.ts";

/**
 * The answer to a request. An object is sent as JSON, and a JSON text unchanged, both with
 * status 200. A `Response` is sent with its own status and body; `toResponse()` adds
 * headers.
 */
export type Answer = object | JsonText | Response;

/** A JSON text, or its UTF-8 bytes. */
export type JsonText = string | Bytes;

/**
 * `Content-Type` of JSON, except in responses to `POST /mcp`. RFC 8259 needs no charset,
 * but Windows PowerShell 5.1 reads JSON without a charset as Latin-1.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

const JSON_HEADERS = { headers: { "content-type": JSON_TYPE } };

/**
 * Option of `new Response()` for a body that may be compressed already: tells workerd (the
 * runtime of Cloudflare Workers) not to compress it again. Other runtimes ignore it.
 */
export const ENCODED = { encodeBody: "manual" };

/** Returns the JSON text of an object; a JSON text, or its bytes, unchanged. */
export function toJsonText(answer: Exclude<Answer, Response>): JsonText {
  return typeof answer === "string" || answer instanceof Uint8Array
    ? answer as JsonText
    : JSON.stringify(answer);
}

/**
 * Returns the response to send for the answer of a handler: with
 * `Access-Control-Allow-Origin`, `X-Content-Type-Options` and `Cache-Control`.
 * `Cache-Control` is `no-store`, unless the answer is a `Response` with another value. A
 * `Response` is changed in place.
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
