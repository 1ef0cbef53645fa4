/** The operations on Hono, written as its documentation shows. */

// deno-lint-ignore-file no-console -- the address is the output

import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import {
  BadRequest,
  base64,
  hash,
  json,
  MAX_BODY_BYTES,
  password,
  uuid,
} from "../node/operations.js";

const app = new Hono();
app.use(cors());
app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));

app.get("/api/uuid", (c) => c.json(uuid(c.req.query("count"))));
app.get("/api/password", (c) => c.json(password(c.req.query("length"))));
app.post("/api/hash", async (c) => c.json(hash(await c.req.json())));
app.post("/api/base64", async (c) => c.json(base64(await c.req.json())));
app.post("/api/json", async (c) => c.json(json(await c.req.json())));

app.notFound((c) => c.json({ error: "not found" }, 404));
app.onError((error, c) =>
  c.json({ error: error.message }, error instanceof BadRequest ? 400 : 500)
);

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.error(`listening on http://127.0.0.1:${port}`),
}, app.fetch);
