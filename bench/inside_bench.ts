/**
 * Times parts of the service in process, without a socket: the JSON scanner
 * compared with the platform's parse and stringify, dispatch, passwords, entropy.
 *
 * ```
 * deno task bench:inside
 * ```
 *
 * @module
 */

import { type Context, createRouter } from "../lib/http/router.ts";
import { formatJson } from "../lib/json/rewrite.ts";
import { JsonWriter } from "../lib/json/writer.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
} from "../lib/password.ts";
import { ROUTES } from "../routes/mod.ts";
import { createRecords } from "./_operations.ts";

/** Length of each JSON text, in UTF-16 code units, roughly. */
const LENGTH = 100_000;

/** JSON texts that differ in the token that takes most of the scanner's time. */
const TEXTS: Readonly<Record<string, string>> = {
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

const utf8Encoder = new TextEncoder();
const output = new JsonWriter();

for (const [name, text] of Object.entries(TEXTS)) {
  const group = `JSON: ${name}`;
  Deno.bench(`${name}: parse and stringify`, { group, baseline: true }, () => {
    JSON.stringify(JSON.parse(text), null, 2);
  });
  Deno.bench(`${name}: the same, escaped and encoded`, { group }, () => {
    const formatted = JSON.stringify(JSON.parse(text), null, 2);
    utf8Encoder.encode(JSON.stringify(formatted));
  });
  Deno.bench(`${name}: formatJson(), escaped and encoded`, { group }, () => {
    const options = { indent: 2, maxBytes: 8 * 1024 * 1024, output };
    for (const _pause of formatJson(text, options)) output.take();
    output.take();
  });
}

const dispatch = createRouter(
  ROUTES.map((route) => ({ ...route, handler: () => new Response(null) })),
);
const request = new Request("http://localhost:8000/api/uuid");
// The router reads only the path of the context.
const context = { path: "/api/uuid" } as Context;

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
