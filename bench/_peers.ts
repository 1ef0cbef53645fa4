/**
 * Starts one of two Deno servers, which the first argument names: `Hono`, written like the
 * examples in its documentation, or `bare`, which uses only `Deno.serve`. The bare server does
 * the work of the service for one path, the second argument, and sends the same headers. It
 * has no routing, validation, or limits.
 *
 * @module
 */

import { print } from "../tools/print.ts";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import * as passwords from "../lib/password.ts";
import { GET, MAX_BODY_BYTES, POST } from "./node/operations.mjs";

const headers = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Uses Deno's fastest Base64. */
const POSTS = {
  ...POST,
  "/api/base64": ({ action, input }: { action: string; input: string }) => ({
    result: action === "encode"
      ? new TextEncoder().encode(input).toBase64()
      : new TextDecoder().decode(Uint8Array.fromBase64(input)),
  }),
};

function createHono(): Hono {
  const app = new Hono();
  app.use(cors());
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  for (const [path, compute] of Object.entries(GET)) {
    app.get(path, (c) => c.json(compute(c.req.query())));
  }
  for (const [path, compute] of Object.entries(POSTS)) {
    app.post(path, async (c) => c.json(compute(await c.req.json())));
  }
  return app;
}

/** Uses the service's password generator, and Web Crypto for digests. */
const WORK: Readonly<Record<string, (input: never) => unknown>> = {
  ...GET,
  ...POSTS,
  "/api/password"() {
    const classes = Object.values(passwords.CHARACTER_CLASSES);
    const sizes = classes.map(({ length }) => length);
    const bits = passwords.computeEntropy(sizes, 16);
    const password = passwords.generatePassword(classes, 16);
    return { password, strength: passwords.rateStrength(bits) };
  },
  async "/api/hash"({ input }: { input: string }) {
    const bytes = new TextEncoder().encode(input);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return { result: new Uint8Array(digest).toHex(), algorithm: "sha256" };
  },
};

function createBare(path: string): Deno.ServeHandler {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const work = WORK[pathname]!;
  const query = Object.fromEntries(searchParams) as never;
  return pathname in GET
    ? () => Response.json(work(query), { headers })
    : async (request) =>
      Response.json(await work(await request.json() as never), { headers });
}

const [name, path] = Deno.args;
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => print(`listening on http://127.0.0.1:${port}`),
}, name === "Hono" ? createHono().fetch : createBare(path!));
