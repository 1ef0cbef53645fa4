/** Serves the operations with Fastify or Express, as the argument specifies. */

// deno-lint-ignore-file no-console -- the output is the address

import fastifyCors from "@fastify/cors";
import expressCors from "cors";
import express from "express";
import Fastify from "fastify";
import { argv } from "node:process";
import { GET, MAX_BODY_BYTES, POST } from "./operations.mjs";

async function startFastify() {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES });
  await app.register(fastifyCors);
  for (const [path, compute] of Object.entries(GET)) {
    app.get(path, (request) => compute(request.query));
  }
  for (const [path, compute] of Object.entries(POST)) {
    app.post(path, (request) => compute(request.body));
  }
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  console.log(`listening on ${address}`);
}

function startExpress() {
  const app = express();
  app.use(expressCors(), express.json({ limit: MAX_BODY_BYTES }));
  for (const [path, compute] of Object.entries(GET)) {
    app.get(path, ({ query }, response) => response.json(compute(query)));
  }
  for (const [path, compute] of Object.entries(POST)) {
    app.post(path, ({ body }, response) => response.json(compute(body)));
  }
  const server = app.listen(0, "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`);
  });
}

await (argv[2] === "Fastify" ? startFastify() : startExpress());
