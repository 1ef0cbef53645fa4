// deno-lint-ignore-file no-console -- prints its address

import cors from "@fastify/cors";
import Fastify from "fastify";
import {
  BadRequest,
  base64,
  hash,
  json,
  MAX_BODY_BYTES,
  password,
  uuid,
} from "./operations.js";

const app = Fastify({ bodyLimit: MAX_BODY_BYTES });
await app.register(cors);

app.get("/api/uuid", (request) => uuid(request.query.count));
app.get("/api/password", (request) => password(request.query.length));
app.post("/api/hash", (request) => hash(request.body));
app.post("/api/base64", (request) => base64(request.body));
app.post("/api/json", (request) => json(request.body));

app.setNotFoundHandler((_request, reply) =>
  reply.code(404).send({ error: "not found" })
);
app.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof BadRequest ? 400 : 500)
    .send({ error: error.message })
);

const address = await app.listen({ host: "127.0.0.1", port: 0 });
console.error(`listening on ${address}`);
