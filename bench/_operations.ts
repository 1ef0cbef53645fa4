/** The requests of the benchmarks and their expected responses. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A request to repeat: a GET, or a POST with a body. */
export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A pattern of the response body, or a string that its JSON contains. */
  readonly expected: RegExp | string;
}

/** Throws unless a server returns the expected response. */
export async function assertExpected(
  { origin }: { readonly origin: string },
  { name, path, fields, expected }: Operation,
): Promise<void> {
  const response = await fetch(
    origin + path,
    fields && {
      method: "POST",
      body: JSON.stringify(fields),
      headers: { "content-type": "application/json" },
    },
  );
  const text = await response.text();
  const isExpected = typeof expected === "string"
    ? text.includes(JSON.stringify(expected))
    : expected.test(text);
  if (response.ok && isExpected) return;
  throw new Error(`${name}: ${response.status} ${text.slice(0, 100)}`);
}

const TOOLS: Readonly<Record<string, string>> = {
  "/api/hash": "hashText",
  "/api/base64": "convertBase64",
  "/api/json": "processJson",
};

/** Returns the equivalent tool call. */
export function callTool(
  { name, path, fields, expected }: Operation,
): Operation {
  const params = { name: TOOLS[path], arguments: fields };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return { name: `call: ${name}`, path: "/mcp", fields: message, expected };
}

const toBase64 = (string: string) => Buffer.from(string).toString("base64");

/** Functions that return the path, fields, and result of a POST for an input. */
const POSTS = {
  hash: (text: string) => [
    "/api/hash",
    { algorithm: "sha256", input: text },
    createHash("sha256").update(text).digest("hex"),
  ],
  encode: (text: string) => [
    "/api/base64",
    { action: "encode", input: text },
    toBase64(text),
  ],
  decode: (text: string) => [
    "/api/base64",
    { action: "decode", input: toBase64(text.slice(text.length / 4)) },
    text.slice(text.length / 4),
  ],
  format(text: string) {
    // With escaped quotes, a record adds about 180 bytes to the body.
    const records = Array.from({ length: text.length / 180 }, createRecord);
    const fields = { action: "format", input: JSON.stringify(records) };
    return ["/api/json", fields, JSON.stringify(records, null, 2)];
  },
} satisfies Record<string, (text: string) => unknown[]>;

function createRecord(_: unknown, id: number): object {
  const address = { street: `${id} Long Street`, city: "Ghent", zip: null };
  const note = 'Zoë said "yes"\nand left';
  return { id, address, isActive: id % 3 === 0, tags: ["a", "b"], note };
}

/** Creates a POST with a body of about `size` KB (1,000 bytes each). */
export function post(kind: keyof typeof POSTS, size: number): Operation {
  const text = "The quick brown fox jumps over a lazy dog. ".repeat(size * 24);
  const [path, fields, expected] = POSTS[kind](text.slice(0, size * 1_000)) as [
    string,
    Record<string, string>,
    string,
  ];
  return { name: `${kind}, ${size} KB`, path, fields, expected };
}

const UUID = '"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-\\w{12}"';

/** The operations for comparing servers. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: "UUID",
    path: "/api/uuid",
    expected: RegExp(`^{"uuid":${UUID}}\\n?$`),
  },
  {
    name: "100 UUIDs",
    path: "/api/uuid?count=100",
    expected: RegExp(`^{"uuids":\\[(${UUID},){99}${UUID}\\]}\\n?$`),
  },
  {
    name: "password",
    path: "/api/password",
    expected: /^{"password":"[!-~]{16}","strength":"very-strong"}\n?$/,
  },
  ...[1, 16, 64, 256, 700].flatMap((size) =>
    (["hash", "encode", "decode", "format"] as const)
      .map((kind) => post(kind, size))
  ),
];
