/** The values that handlers return, and the responses that are made of them. */

/**
 * The answer to a request. An object is sent as its JSON text with status 200; bytes are
 * such a text already, in a buffer of their own. A `Response` is any other kind of response.
 */
export type Answer = object | Bytes | Response;

/** Bytes that own their buffer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A JSON text, or its UTF-8 bytes. */
export type JsonText = string | Bytes;

const JSON_TYPE = { headers: { "content-type": "application/json" } };

/** Returns the JSON text of an answer that is no `Response`. */
export function toJsonText(answer: Exclude<Answer, Response>): JsonText {
  return answer instanceof Uint8Array
    ? answer as Bytes
    : JSON.stringify(answer);
}

/**
 * Makes the response of an answer, or of a JSON text, with the headers that every response
 * has. A `Cache-Control` that the answer has is kept.
 */
export function toResponse(answer: Answer | JsonText): Response {
  if (answer instanceof Response) {
    const cacheControl = answer.headers.get("cache-control");
    return addCommonHeaders(answer, cacheControl ?? "no-store");
  }
  const text = typeof answer === "string" ? answer : toJsonText(answer);
  return addCommonHeaders(new Response(text, JSON_TYPE), "no-store");
}

function addCommonHeaders(response: Response, cacheControl: string): Response {
  const { headers } = response;
  headers.set("access-control-allow-origin", "*");
  headers.set("x-content-type-options", "nosniff");
  headers.set("cache-control", cacheControl);
  return response;
}
