/**
 * Times the slowest valid requests that are known: the median time in
 * milliseconds from the request to the last byte of its response, in process
 * and without other load.
 *
 * @module
 */

import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler } from "../routes/mod.ts";
import { median, printFigure } from "./_figures.ts";

/** Number of times that each request is sent. */
const RUNS = 9;

const { maxBodyBytes } = DEFAULT_SETTINGS;

/** Returns a body of the largest size: `head`, repetitions of `filling`, `tail`. */
function fill(head: string, filling: string, tail: string): string {
  const encoder = new TextEncoder();
  const [fixedBytes, fillingBytes] = [head + tail, filling]
    .map((text) => encoder.encode(text).byteLength) as [number, number];
  const count = Math.floor((maxBodyBytes - fixedBytes) / fillingBytes);
  return head + filling.repeat(count) + tail;
}

/** Returns a body of the largest size with balanced brackets as its input. */
function nest(action: string): string {
  const head = `{"action":"${action}","input":"`;
  const depth = Math.floor((maxBodyBytes - head.length - 2) / 2);
  return `${head}${"[".repeat(depth)}${"]".repeat(depth)}"}`;
}

/** Returns the start of a tool call, up to its arguments. */
function startCall(name: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":`;
}

/** Nesting whose formatted text has just under 8 MiB, the largest result. */
const DEEPEST = `{"action":"format","input":"${"[".repeat(2_046)}${
  "]".repeat(2_046)
}"}`;

/** Multiples of 16,384, whose hashes are equal in V8's string table. */
const COLLIDING = Array.from({ length: 75_000 }, (_, i) => `"${16_384 * i}"`);

const CASES: Readonly<Record<string, readonly [path: string, body: string]>> = {
  "hash, escapes": [
    "/api/hash",
    fill('{"algorithm":"sha1","input":"', "\\n", '"}'),
  ],
  "base64 encode, surrogate pairs": [
    "/api/base64",
    fill('{"action":"encode","input":"', "😀", '"}'),
  ],
  "base64 decode, foreign character last": [
    "/api/base64",
    fill('{"action":"decode","input":"', "A ", 'é"}'),
  ],
  "json validate, open arrays": [
    "/api/json",
    fill('{"action":"validate","input":"', "[", '"}'),
  ],
  "json validate, balanced arrays": ["/api/json", nest("validate")],
  "json minify, error after many lines": [
    "/api/json",
    fill('{"action":"minify","input":"', "\\n", 'x"}'),
  ],
  "json format, lone surrogates": [
    "/api/json",
    fill('{"action":"format","input":"[', '\\"\\ud800\\",', '0]"}'),
  ],
  "json format, zeros": [
    "/api/json",
    fill('{"action":"format","input":"[', "0,", '0]"}'),
  ],
  "json format, empty objects": [
    "/api/json",
    fill('{"action":"format","input":"[', "{},", '0]"}'),
  ],
  "json format, deepest": ["/api/json", DEEPEST],
  "json format, too deep": ["/api/json", nest("format")],
  "body of duplicate names": [
    "/api/json",
    fill('{"action":"minify",', '"a":0,', '"input":"0"}'),
  ],
  "body of nested arrays": ["/api/json", fill('{"x":', "[", "")],
  "body of colliding strings": ["/api/json", `[${COLLIDING}]`],
  "mcp, json format, zeros": [
    "/mcp",
    fill(
      `${startCall("processJson")}{"action":"format","input":"[`,
      "0,",
      '0]"}}}',
    ),
  ],
  "mcp, json format, deepest": [
    "/mcp",
    `${startCall("processJson")}${DEEPEST}}}`,
  ],
  "mcp, base64 decode, control characters": [
    "/mcp",
    fill(
      `${startCall("convertBase64")}{"action":"decode","input":"`,
      "AQEB",
      '"}}}',
    ),
  ],
  "mcp, 90,000 unknown arguments": [
    "/mcp",
    `${startCall("hashText")}{${
      Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`)
    }}}}`,
  ],
};

const handler = createHandler();

async function measure(path: string, body: string): Promise<number> {
  const start = performance.now();
  const response = await handler(
    new Request(`http://localhost${path}`, { method: "POST", body }),
  );
  await response.bytes();
  return performance.now() - start;
}

for (const [name, [path, body]] of Object.entries(CASES)) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure(path, body));
  printFigure(name, median(times), { unit: "ms", digits: 1 });
}
