/** Messages that several tests send, and the notation of their responses in tables. */

import { assertEquals } from "@std/assert";
import { type Json, META } from "./_agent.ts";

export const PREFIX = "io.modelcontextprotocol/";

/** Creates a request. */
export function ask(method: string, params?: unknown) {
  return { jsonrpc: "2.0", id: 7, method, ...(params ? { params } : {}) };
}

/** Creates a request of protocol version 2026-07-28. */
export function ask2026(
  method: string,
  params: object = {},
  meta: object = {},
) {
  return ask(method, { ...params, _meta: { ...META, ...meta } });
}

export const ENCODE = {
  name: "convertBase64",
  arguments: { action: "encode", input: "a" },
};

export const PING = ask("ping");

/** Returns the identifier of a response, and its result or error as in the tables. */
export function describe(
  response: Json,
): [id: unknown, response: object | string | undefined] {
  if (response === undefined) return [undefined, undefined];
  const { jsonrpc, id, result, error, ...unexpected } = response;
  assertEquals([jsonrpc, unexpected], ["2.0", {}]);
  if (error === undefined) return [id, result];
  const { code, message, data } = error;
  const more = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  return [id, `${code} ${message}${more}`];
}
