/** Speaks to `/mcp` as the official client does, and by hand. */

import { assert, assertEquals } from "@std/assert";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createTestHandler } from "../_client.ts";

/** The newest revision, and one of those that need a handshake. */
export const MODES = [
  ["2026-07-28", { pin: "2026-07-28" }],
  ["2025-11-25", "legacy"],
] as const;

type Mode = (typeof MODES)[number][1];

/** A client of a revision that is not connected yet. */
export function createClient(mode: Mode): Client {
  return new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
}

/** A client of the handler, in process, whose every answer is checked. */
export async function connect(
  mode: Mode,
  handler = createTestHandler(),
): Promise<Client> {
  const client = createClient(mode);
  const url = new URL("http://localhost/mcp");
  async function fetch(url: string | URL, init?: RequestInit) {
    const response = await handler(new Request(url, init));
    assert(response.status < 500);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("cache-control"), "no-store");
    // Nothing is a stream.
    const type = response.body === null ? null : "application/json";
    assertEquals(response.headers.get("content-type"), type);
    return response;
  }
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
}

/** Calls of each tool, and what comes out; where it differs each time, its shape. */
export const CALLS: readonly [
  name: string,
  args: object,
  expected: object | RegExp,
][] = [
  ["convertBase64", { action: "encode", input: "héllo" }, {
    result: "aMOpbGxv",
  }],
  ["convertBase64", { action: "decode", input: "aMOpbGxv" }, {
    result: "héllo",
  }],
  ["hashText", { algorithm: "sha1", input: "abc" }, {
    result: "a9993e364706816aba3e25717850c26c9cd0d89d",
    algorithm: "sha1",
  }],
  ["generateUuids", {}, /^\{"uuid":"[0-9a-f-]{36}"\}$/],
  ["generateUuids", { count: 1 }, /^\{"uuids":\["[0-9a-f-]{36}"\]\}$/],
  ["generateUuids", { count: 3 }, /^\{"uuids":\["[^"]+","[^"]+","[^"]+"\]\}$/],
  ["generatePassword", {}, /^\{"password":".{16}","strength":"very-strong"\}$/],
  [
    "generatePassword",
    { length: 8, uppercase: false, lowercase: false, symbols: false },
    /^\{"password":"[0-9]{8}","strength":"very-weak"\}$/,
  ],
  ["processJson", { action: "format", input: "[1.0]", indent: 4 }, {
    result: "[\n    1.0\n]",
    valid: true,
  }],
  ["processJson", { action: "validate", input: "[1,]" }, {
    result: 'expected a JSON value, got "]" at line 1, column 4',
    valid: false,
  }],
];

/** Sends a message by hand, or what is none; the answer is JSON or nothing. */
export async function send(
  message: unknown,
  headers: HeadersInit = {},
): Promise<{ status: number; body: unknown }> {
  const isWritten = typeof message === "string" ||
    message instanceof Blob;
  const body = isWritten ? message : JSON.stringify(message);
  const response = await createTestHandler()(
    new Request("http://localhost/mcp", { method: "POST", headers, body }),
  );
  const text = await response.text();
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(
    response.headers.get("content-type"),
    text === "" ? null : "application/json",
  );
  return {
    status: response.status,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** What each request of the newest revision says of its client. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
