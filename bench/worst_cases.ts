/**
 * The slowest legal requests found, a body of 1 MiB each: milliseconds
 * from the request to the last byte of its answer, in process, the median of
 * several runs.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- a benchmark prints its figures

import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler } from "../routes/mod.ts";

const RUNS = 9;
const handler = createHandler({ ...DEFAULT_SETTINGS, isStopping: () => false });

/** A body of the largest size: the filling, repeated, between head and tail. */
function fill(head: string, filling: string, tail: string): string {
  const encoder = new TextEncoder();
  const room = DEFAULT_SETTINGS.maxBodyBytes -
    encoder.encode(head + tail).byteLength;
  const count = Math.floor(room / encoder.encode(filling).byteLength);
  return head + filling.repeat(count) + tail;
}

function json(action: string, filling: string, head = "", tail = ""): string {
  return fill(`{"action":"${action}","input":"${head}`, filling, `${tail}"}`);
}

function base64(action: string, filling: string, tail = ""): string {
  return fill(`{"action":"${action}","input":"`, filling, `${tail}"}`);
}

/** Half of the filling opens, the other half closes. */
function nested(action: string, open: string, close: string): string {
  const head = `{"action":"${action}","input":"`;
  const room = DEFAULT_SETTINGS.maxBodyBytes - head.length - 2;
  const depth = Math.floor(room / (open.length + close.length));
  return `${head}${open.repeat(depth)}${close.repeat(depth)}"}`;
}

/** Nesting whose formatted text is just below the limit of 8 MiB. */
const deepestToFormat = `{"action":"format","input":"${"[".repeat(2_046)}${
  "]".repeat(2_046)
}"}`;

const CASES: Record<string, [path: string, body: string]> = {
  "hash, ASCII": [
    "/api/hash",
    fill('{"algorithm":"sha512","input":"', "a", '"}'),
  ],
  "hash, escapes": [
    "/api/hash",
    fill('{"algorithm":"sha1","input":"', "\\n", '"}'),
  ],
  "hash, lone surrogate at the end": [
    "/api/hash",
    fill('{"algorithm":"sha1","input":"', "é", '\\ud800"}'),
  ],
  "base64 encode, ASCII": ["/api/base64", base64("encode", "a")],
  "base64 encode, surrogate pairs": ["/api/base64", base64("encode", "😀")],
  "base64 encode, escaped NULs": ["/api/base64", base64("encode", "\\u0000")],
  "base64 decode, text": ["/api/base64", base64("decode", "YWFh")],
  "base64 decode, NULs": ["/api/base64", base64("decode", "AAAA")],
  "base64 decode, white space between": [
    "/api/base64",
    base64("decode", "A\\n"),
  ],
  "base64 decode, white space only": ["/api/base64", base64("decode", " ")],
  "base64 decode, padding only": ["/api/base64", base64("decode", "=")],
  "base64 decode, foreign at the end": [
    "/api/base64",
    base64("decode", "A ", "é"),
  ],
  "base64 decode, not UTF-8 at the end": [
    "/api/base64",
    base64("decode", "AAAA", "//8="),
  ],
  "json validate, open arrays": ["/api/json", json("validate", "[")],
  "json validate, nested arrays": ["/api/json", nested("validate", "[", "]")],
  "json minify, nested objects": [
    "/api/json",
    nested("minify", '{\\"\\":[', "]}"),
  ],
  "json minify, spaces between": [
    "/api/json",
    json("minify", "0 ,", "[", "0]"),
  ],
  "json minify, white space only": ["/api/json", json("minify", " ")],
  "json minify, escapes": [
    "/api/json",
    json("minify", "\\\\u0000", '\\"', '\\"'),
  ],
  "json minify, surrogate pairs": [
    "/api/json",
    json("minify", "😀", '\\"', '\\"'),
  ],
  "json minify, one number": ["/api/json", json("minify", "1")],
  "json minify, error after many lines": [
    "/api/json",
    json("minify", "\\n", "", "x"),
  ],
  "json minify, error after a long line": [
    "/api/json",
    json("minify", "é", '\\"'),
  ],
  "json format, lone surrogates": [
    "/api/json",
    json("format", '\\"\\ud800\\",', "[", "0]"),
  ],
  "json format, zeros": ["/api/json", json("format", "0,", "[", "0]")],
  "json format, empty objects": ["/api/json", json("format", "{},", "[", "0]")],
  "json format, duplicate names": [
    "/api/json",
    json("format", '\\"\\":0,', "{", '\\"\\":0}'),
  ],
  "json format, deepest": ["/api/json", deepestToFormat],
  "json format, too deep": ["/api/json", nested("format", "[", "]")],
  "body of 150,000 duplicate names": [
    "/api/json",
    fill('{"action":"minify",', '"a":0,', '"input":"0"}'),
  ],
  "body of nested arrays": ["/api/json", fill('{"x":', "[", "")],
  "body of white space": ["/api/json", fill("", " ", "")],
  "mcp, json format, zeros": [
    "/mcp",
    fill(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"processJson","arguments":{"action":"format","input":"[',
      "0,",
      '0]"}}}',
    ),
  ],
  "mcp, json format, deepest": [
    "/mcp",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"processJson","arguments":${deepestToFormat}}}`,
  ],
  "mcp, base64 decode, control characters": [
    "/mcp",
    fill(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"convertBase64","arguments":{"action":"decode","input":"',
      "AQEB",
      '"}}}',
    ),
  ],
  "mcp, 1,000 values that are wrong": [
    "/mcp",
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1","icons":[${
      "1,".repeat(980)
    }1]}}}`,
  ],
  "mcp, arguments of 90,000 names": [
    "/mcp",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hashText","arguments":{${
      Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`)
    }}}}`,
  ],
};

async function measure(path: string, body: string): Promise<number> {
  const start = performance.now();
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    body,
  });
  const response = await handler(request);
  await response.arrayBuffer();
  return performance.now() - start;
}

let slowest = 0;
for (const [name, [path, body]] of Object.entries(CASES)) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure(path, body));
  const median = times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
  slowest = Math.max(slowest, median);
  console.log(`${name.padEnd(38)} ${median.toFixed(1).padStart(6)} ms`);
}
console.log(`${"slowest".padEnd(38)} ${slowest.toFixed(1).padStart(6)} ms`);
