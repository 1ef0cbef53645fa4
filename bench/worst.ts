/**
 * The longest wait of another client in the second of each of the slowest requests that
 * are known, and the time until its own answer: medians in milliseconds. Each request is
 * made anew, with strings that did not occur before.
 *
 * @module
 */

import { RawConnection } from "../tests/_connection.ts";
import { median, printRow, runWrk } from "./_measure.ts";
import { post } from "./_operations.ts";
import { isChosen, listServices } from "./_servers.ts";
import type { Options } from "./main.ts";

/** Sizes of a body: the largest small one, and almost the largest, in bytes. */
const BODY_BYTES = [32_000, 1_048_000];

/** Size of a head; Deno has room for 64 KiB. */
const HEAD_BYTES = 60_000;

/** The start of a text, its filling, which is repeated, and its end. */
type Parts = readonly [start: string, filling: string, end: string];

/** Each `#` stands for digits, each `w` for a word; `#` of one request have the same hash in V8. */
const HEADS: readonly Parts[] = [
  ["GET /api/uuid?ordinary", "", " HTTP/1.1"],
  ["GET / HTTP/1.1\r\nIf-None-Match: ", '"a",', '"b"'],
  ["GET / HTTP/1.1\r\nAccept-Encoding: ", "w;q=0.5,", "a"],
  ["POST /api/hash HTTP/1.1\r\nContent-Encoding: ", "identity,", "a"],
  ["OPTIONS / HTTP/1.1\r\nAccess-Control-Request-Headers: ", "w,", "a"],
  ["GET /", "%41", " HTTP/1.1"],
  ["GET /api/uuid?", "#&", " HTTP/1.1"],
  ["GET /api/password?", "w&", " HTTP/1.1"],
  ["GET /api/password?", "%61&", " HTTP/1.1"],
  ["GET /api/uuid?count=", "9", " HTTP/1.1"],
];

const HASH = '{"algorithm":"sha1","input":"';
const FORMAT = '{"action":"format","input":"[';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":';

const BODIES: readonly (readonly [path: string, ...Parts])[] = [
  ["/api/hash", '{"a":[', '"#",', "0]}"],
  ["/api/hash", "{", '"#":0,', '"algorithm":"sha1","input":""}'],
  ["/api/hash", "{", '"w":0,', '"algorithm":"sha1","input":""}'],
  ["/api/hash", "{", '"\\u0061":0,', '"input":""}'],
  ["/api/hash", '{"x":', "[", ""],
  ["/api/hash", '{"input":', "9", "}"],
  ["/api/hash", "{", "\n", "x}"],
  ["/api/hash", HASH, "a", '\\ud800"}'],
  ["/api/base64", '{"action":"encode","input":"', "😀", '"}'],
  ["/api/base64", '{"action":"decode","input":"', "A ", 'é"}'],
  ["/api/json", '{"action":"minify","input":"', "\\n", 'x"}'],
  ["/api/json", FORMAT, "0,", '0]"}'],
  ["/api/json", FORMAT, "[1],", '0]"}'],
  ["/api/json", FORMAT, "{},", '0]"}'],
  ["/api/json", FORMAT, '\\"\\ud800\\",', '0]"}'],
  ["/api/json", FORMAT + "[".repeat(2_045), "", "]".repeat(2_046) + '"}'],
  ["/mcp", `${CALL}"hashText","arguments":{`, '"#":0,', '"input":""}}}'],
  ["/mcp", `${CALL}"processJson","arguments":${FORMAT}`, "0,", '0]"}}}'],
];

let count = 0;

/** Repeats the filling up to a size in bytes, with new strings each time. */
function fill([start, filling, end]: Parts, bytes: number): string {
  const fillings: string[] = [];
  for (let size = start.length + end.length; filling !== "";) {
    count += 1;
    // 61,035 multiples of 16,384 have at most nine digits.
    const digits = 16_384 * (count % 61_035) + Math.floor(count / 61_035);
    const text = filling.replace("#", `${digits}`)
      .replace("w", count.toString(36).padStart(5, "w"));
    size += new TextEncoder().encode(text).length;
    if (size > bytes) break;
    fillings.push(text);
  }
  return start + fillings.join("") + end;
}

function createPost(path: string, body: string): string {
  const { length } = new TextEncoder().encode(body);
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Every case: a name, and the function that makes its request. */
const CASES = [
  ...HEADS.map((parts) => ({
    name: parts.join("…").replaceAll(/\s+/g, " "),
    create: () =>
      fill(parts, HEAD_BYTES) + "\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
  })),
  ...BODY_BYTES.flatMap((bytes) =>
    BODIES.map(([path, ...parts]) => ({
      name: `${bytes / 1e3} KB ${path} ${parts.join("…")}`.slice(0, 99),
      create: () => createPost(path, fill(parts, bytes)),
    }))
  ),
];

/** Measures the chosen cases with the services that the options name. */
export async function run(options: Options): Promise<void> {
  const rounds = Number(options.rounds ?? 7);
  const load = { seconds: 1, clients: 1 };
  for (const { name, create } of CASES.filter(isChosen(options))) {
    printRow(name, ["longest,ms", "itself,ms", "status"]);
    for (const [service, start] of Object.entries(listServices(options))) {
      await using server = await start("");
      const figures: [number, number, number][] = [];
      // Earlier requests may fill tables: the first rounds are not counted.
      for (let round = -50; round < rounds; round += 1) {
        const request = new TextEncoder().encode(create());
        const others = round < 0
          ? undefined
          : runWrk(server, post("hash", 1), load);
        if (others) await new Promise((resolve) => setTimeout(resolve, 300));
        const begin = performance.now();
        using connection = await RawConnection.open(server);
        await connection.send(request);
        const { status } = await connection.receive();
        const itself = performance.now() - begin;
        if (others) figures.push([(await others).max, itself, status]);
      }
      const medianOf = (i: 0 | 1 | 2) => median(figures.map((row) => row[i]));
      printRow(`  ${service}`, [medianOf(0), medianOf(1), medianOf(2)], 1);
    }
  }
}
