/**
 * What the service costs without a socket: the JSON scanner beside the
 * platform's parse and stringify, dispatch, passwords, and each endpoint.
 *
 * ```
 * deno task bench:inside
 * ```
 *
 * @module
 */

import { formatJson } from "../lib/json/rewrite.ts";
import { JsonWriter } from "../lib/json/writer.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
} from "../lib/password.ts";
import { Memory } from "../lib/http/memory.ts";
import { Turns } from "../lib/http/turns.ts";
import { createRouter } from "../lib/http/router.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler, ROUTES } from "../routes/mod.ts";
import { createRecords, OPERATIONS } from "./_operations.ts";

const utf8Encoder = new TextEncoder();

const LENGTH = 100_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Texts of about 100 KB that scanners find easy or hard for different reasons. */
const SHAPES: Record<string, string> = {
  "records": createRecords(LENGTH),
  "numbers": JSON.stringify(
    Array.from({ length: LENGTH / 10 }, (_, i) => i * 1234.5678),
  ),
  "long strings": JSON.stringify(
    Array<string>(LENGTH / 1_000).fill(
      "lorem ipsum dolor sit amet ".repeat(37),
    ),
  ),
  "escapes": JSON.stringify(
    Array<string>(LENGTH / 100).fill('\t"quoted"\\ \u0001\n'.repeat(4)),
  ),
  "deep": '{"a":['.repeat(200) + "1" + "]}".repeat(200),
  "already pretty": JSON.stringify(
    JSON.parse(createRecords(LENGTH)),
    null,
    2,
  ),
};

const output = new JsonWriter();

for (const [shape, text] of Object.entries(SHAPES)) {
  const group = `JSON: ${shape}`;
  Deno.bench(`${shape}: parse and stringify`, { group, baseline: true }, () => {
    JSON.stringify(JSON.parse(text), null, 2);
  });
  Deno.bench(`${shape}: the same, escaped and encoded`, { group }, () => {
    const formatted = JSON.stringify(JSON.parse(text), null, 2);
    utf8Encoder.encode(JSON.stringify(formatted));
  });
  Deno.bench(`${shape}: formatJson(), escaped and encoded`, { group }, () => {
    const options = { indent: 2, maxBytes: MAX_BYTES, output };
    for (const _pause of formatJson(text, options)) output.take();
    output.clear();
  });
}

const dispatch = createRouter(
  ROUTES.map((route) => ({ ...route, handler: () => new Response(null) })),
);
const request = new Request("http://localhost:8000/api/uuid");
const context = {
  path: "/api/uuid",
  query: "",
  readBody: () => Promise.reject(new Error("there is no body")),
  memory: new Memory(0),
  turns: new Turns(),
  maxBodyBytes: 0,
  isStopping: () => false,
};

Deno.bench("dispatch", () => {
  dispatch(request, context);
});

const classes = Object.values(CHARACTER_CLASSES);
const classSizes = classes.map(({ length }) => length);

Deno.bench("generatePassword() of 16 characters", () => {
  generatePassword(classes, 16);
});

Deno.bench("computeEntropy() of four classes", () => {
  computeEntropy(classSizes, 16);
});

const handler = createHandler({ ...DEFAULT_SETTINGS, isStopping: () => false });

for (const { name, path, fields, status } of OPERATIONS) {
  const url = `http://localhost:8000${path}`;
  const init: RequestInit = fields
    ? { method: "POST", body: JSON.stringify(fields) }
    : {};
  Deno.bench(`handler: ${name}`, async () => {
    const response = await handler(new Request(url, init));
    await response.bytes();
    if (response.status !== status) throw new Error(`got ${response.status}`);
  });
}
