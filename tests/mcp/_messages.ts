/** Messages that several tests send, and their answers in the form of the tables. */

import { assertEquals } from "@std/assert";
import { type Json, META } from "./_agent.ts";

export const PREFIX = "io.modelcontextprotocol/";

/** Creates a request. */
export function ask(method: string, params?: unknown) {
  return { jsonrpc: "2.0", id: 7, method, ...(params ? { params } : {}) };
}

/** Creates a request of the revision of 2026. */
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

/** Returns an answer in the form of the table, and its identifier. */
export function describe(
  answer: Json,
): [id: unknown, answer: object | string | undefined] {
  if (answer === undefined) return [undefined, undefined];
  const { jsonrpc, id, result, error, ...others } = answer;
  assertEquals([jsonrpc, others], ["2.0", {}]);
  if (error === undefined) return [id, result];
  const { code, message, data } = error;
  const more = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  return [id, `${code} ${message}${more}`];
}
