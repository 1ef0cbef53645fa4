// deno-lint-ignore-file no-console -- prints its address

import cors from "cors";
import express from "express";
import {
  BadRequest,
  base64,
  hash,
  json,
  MAX_BODY_BYTES,
  password,
  uuid,
} from "./operations.js";

const app = express();
app.use(cors());
app.use(express.json({ limit: MAX_BODY_BYTES }));

app.get("/api/uuid", (request, response) => {
  response.json(uuid(request.query.count));
});
app.get("/api/password", (request, response) => {
  response.json(password(request.query.length));
});
app.post("/api/hash", (request, response) => {
  response.json(hash(request.body));
});
app.post("/api/base64", (request, response) => {
  response.json(base64(request.body));
});
app.post("/api/json", (request, response) => {
  response.json(json(request.body));
});

app.use((_request, response) => {
  response.status(404).json({ error: "not found" });
});
// Express recognises an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  response.status(error instanceof BadRequest ? 400 : 500)
    .json({ error: error.message });
});

const server = app.listen(0, "127.0.0.1", () => {
  console.error(`listening on http://127.0.0.1:${server.address().port}`);
});
