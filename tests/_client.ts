/** Sends requests to the handler, and checks the headers and format of every response. */

import { assert, assertEquals } from "@std/assert";
import type { FetchHandler } from "../lib/http/middleware.ts";
import { createHandler } from "../routes/mod.ts";

/** A response that has passed the checks, with its body parsed. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; `undefined` for a response without a body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Windows PowerShell 5.1 reads JSON without a charset as Latin-1. */
export const JSON_TYPE = "application/json; charset=utf-8";

const defaultHandler = createHandler();

/** Sends a request to a handler in process and checks the response. */
export async function call(
  target: string | Request,
  init: RequestInit & { handler?: FetchHandler } = {},
): Promise<CheckedResponse> {
  const { handler = defaultHandler, ...requestInit } = init;
  const request = typeof target === "string"
    ? new Request(`http://localhost:8000${target}`, requestInit)
    : target;
  return await checkHandlerResponse(await handler(request), request.method);
}

/** Sends a POST with a JSON body and checks the response. */
export function post(path: string, fields: unknown): Promise<CheckedResponse> {
  return call(path, { method: "POST", body: JSON.stringify(fields) });
}

/** Checks the headers and the format that all endpoints have in common. */
export async function checkHandlerResponse(
  response: Response,
  method = "GET",
): Promise<CheckedResponse> {
  const { status, headers } = response;
  assert(status !== 500, "no request causes a 500");
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(headers.get("access-control-allow-credentials"), null);
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("cache-control"), "no-store");
  const text = await response.text();
  if (status === 202 || status === 204) {
    assertEquals(text, "");
    return { status, headers, body: undefined };
  }
  const type = headers.get("content-type");
  if (method === "HEAD") {
    assertEquals(type, JSON_TYPE);
    assertEquals(text, "");
    assert(Number(headers.get("content-length")) > 0);
    return { status, headers, body: undefined };
  }
  const body = JSON.parse(text);
  if ("jsonrpc" in body) {
    // The tests of /mcp check the rest.
    assertEquals(type, "application/json");
    assert(text.endsWith("}"));
    return { status, headers, body };
  }
  assertEquals(type, JSON_TYPE);
  assert(text.endsWith("}\n"), "the prompt of a shell starts on its own line");
  if (status >= 400) {
    assertEquals(Object.keys(body), ["error"]);
    assert(typeof body.error === "string" && body.error !== "");
  } else {
    assertEquals(status, 200);
    assert(!("error" in body), "a success has no error");
  }
  return { status, headers, body };
}

/** Asserts that a response has exactly this status and error message. */
export function assertError(
  response: CheckedResponse,
  status: number,
  error: string,
): void {
  assertEquals({ status: response.status, body: response.body }, {
    status,
    body: { error },
  });
}
