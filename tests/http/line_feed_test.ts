/** The line feed after each JSON answer, so that the prompt of a shell begins its own line. */

import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";

const handler = createHandler();

async function send(path: string, fields?: object): Promise<Uint8Array> {
  const init = fields === undefined
    ? {}
    : { method: "POST", body: JSON.stringify(fields) };
  const response = await handler(new Request(`http://localhost${path}`, init));
  return await response.bytes();
}

function encode(input: string) {
  return ["/api/base64", { action: "encode", input }] as const;
}

function decode(input: string) {
  const bytes = new TextEncoder().encode(input);
  return ["/api/base64", {
    action: "decode",
    input: bytes.toBase64(),
  }] as const;
}

/** Requests, with answers of every way in which they are written: short, long, not ASCII, of parts. */
const REQUESTS: readonly (readonly [path: string, fields?: object])[] = [
  ["/api/uuid"],
  ["/api/uuid?count=0"],
  ["/healthz"],
  ["/openapi.json"],
  ["/nowhere"],
  encode("a"),
  // Results of 256 KiB with and without the line feed, and of more.
  ...[196_590, 196_593, 196_596, 196_599, 196_602, 196_605].map((length) =>
    encode("a".repeat(length))
  ),
  encode("a".repeat(700_000)),
  decode("é".repeat(150_000)),
  decode("\0".repeat(100_000)),
  ...["format", "minify", "validate"].map((action) =>
    ["/api/json", { action, input: `[${"1,".repeat(200_000)}"é"]` }] as const
  ),
  ["/api/hash", { algorithm: "md5", input: "" }],
];

Deno.test("each JSON answer ends with one line feed", async () => {
  for (const [path, fields] of REQUESTS) {
    const bytes = await send(path, fields);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const name = `${path} ${JSON.stringify(fields)?.slice(0, 60)}`;
    assert(text.endsWith("}\n") && !text.endsWith("\n\n"), name);
    // The rest is the JSON text itself.
    const value = JSON.parse(text);
    const indent = path === "/openapi.json" ? 2 : 0;
    const written = JSON.stringify(value, null, indent);
    assert(text === `${written}\n`, name);
  }
});

Deno.test("no answer of /mcp ends with a line feed", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  for (const message of [ping, {}, { ...ping, method: "tools/list" }]) {
    assertEquals((await send("/mcp", message)).at(-1), "}".charCodeAt(0));
  }
});
