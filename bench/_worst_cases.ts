/** The slowest valid requests that are known; each is made anew, with strings that did not occur before. */

import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { post } from "./_attacker.ts";

const { maxBodyBytes } = DEFAULT_SETTINGS;

/** Size of a request's head for which Deno has room, with some left for other fields, in bytes. */
const HEAD_BYTES = 60_000;

/** Size of the largest small body, and of one that has come before, in bytes. */
const SMALL_BYTES = 32 * 1024;

const utf8Encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

let count = 0;

/** Returns a number that was not returned before. */
function next(): number {
  count += 1;
  return count;
}

/** Number of multiples of 16,384 with at most nine digits. */
const MULTIPLES = 61_035;

/** Returns a text of digits; 61,035 in succession have the same hash in V8's tables. */
function collide(): string {
  const number = next();
  return String(
    16_384 * (number % MULTIPLES) + Math.floor(number / MULTIPLES),
  );
}

/** Returns a short text that was not returned before. */
const makeWord = () => next().toString(36).padStart(5, "w");

/** Escapes each digit as `\u0031`. */
const escapeDigits = (text: string) =>
  text.replaceAll(/\d/g, (digit) => `\\u003${digit}`);

/** Returns texts, joined by commas, of about a size in bytes. */
function list(makeText: () => string, bytes: number): string {
  const texts: string[] = [];
  for (let size = 0; size < bytes - 20;) {
    const text = makeText();
    texts.push(text);
    size += text.length + 1;
  }
  return texts.join(",");
}

/** Returns a body of a size: `head`, repetitions of `filling`, `tail`. */
function fill(
  head: string,
  filling: string,
  tail: string,
  bytes = maxBodyBytes,
): string {
  const [fixedBytes, fillingBytes] = [head + tail, filling]
    .map((text) => utf8Encoder.encode(text).byteLength) as [number, number];
  const count = Math.floor((bytes - fixedBytes) / fillingBytes);
  return head + filling.repeat(count) + tail;
}

/** Returns a body of the largest size with balanced brackets as its input. */
function nest(action: string): string {
  const head = `{"action":"${action}","input":"`;
  const depth = Math.floor((maxBodyBytes - head.length - 2) / 2);
  return `${head}${"[".repeat(depth)}${"]".repeat(depth)}"}`;
}

/** A tool call with arguments in JSON. */
function callTool(name: string, args: string): Bytes {
  return postMessage(
    `"method":"tools/call","params":{"name":"${name}","arguments":${args}}`,
  );
}

/** A message of the current and, by default, of an earlier revision of the protocol. */
function postMessage(members: string): Bytes {
  return post("/mcp", `{"jsonrpc":"2.0","id":1,${members}}`);
}

/** A request without a body. */
function send(target: string, fields = "", method = "GET"): Bytes {
  return utf8Encoder.encode(
    `${method} ${target} HTTP/1.1\r\nHost: h\r\n${fields}\r\n`,
  );
}

/** Nesting whose formatted text has just under 8 MiB, the largest result. */
const DEEPEST = `{"action":"format","input":"${"[".repeat(2_046)}${
  "]".repeat(2_046)
}"}`;

const quote = (text: string) => `"${text}"`;

/** Makes a body of members with values, and of the members that `/api/hash` needs. */
const toObject = (makeName: () => string, bytes: number) =>
  `{${
    list(() => `"${makeName()}":0`, bytes - 50)
  },"algorithm":"sha1","input":""}`;

const space = " ".repeat(HEAD_BYTES);

/** Cases by name; each function makes a request. */
export const CASES: Readonly<Record<string, () => Bytes>> = {
  // Heads.
  "If-None-Match of spaces": () => send("/", `If-None-Match: a${space}b\r\n`),
  "If-None-Match of 4 KB of spaces": () =>
    send("/page.js", `If-None-Match: a${" ".repeat(4_000)}b\r\n`),
  "If-None-Match of entity tags": () =>
    send("/", `If-None-Match: ${'"a",'.repeat(1_000)}"b"\r\n`),
  "Accept-Encoding of codings": () =>
    send(
      "/",
      `Accept-Encoding: ${list(() => `${makeWord()};q=0.5`, HEAD_BYTES)}\r\n`,
    ),
  "Accept-Encoding of spaces": () =>
    send("/", `Accept-Encoding: a${space};q=1\r\n`),
  "Accept-Encoding of one parameter": () =>
    send("/", `Accept-Encoding: a${";q=0".repeat(HEAD_BYTES / 4)}\r\n`),
  "Content-Encoding of names": () =>
    send(
      "/api/hash",
      `Content-Encoding: ${"identity,".repeat(6_000)}\r\nContent-Length: 0\r\n`,
      "POST",
    ),
  "Content-Encoding of spaces": () =>
    send(
      "/api/hash",
      `Content-Encoding: a${space}b\r\nContent-Length: 0\r\n`,
      "POST",
    ),
  "Access-Control-Request-Headers of names": () =>
    send(
      "/api/hash",
      `Access-Control-Request-Headers: ${list(makeWord, HEAD_BYTES)}\r\n`,
      "OPTIONS",
    ),
  "120 fields with colliding names": () =>
    send(
      "/api/uuid",
      Array.from({ length: 120 }, () => `${collide()}: a\r\n`).join(""),
    ),
  "a Host of labels": () =>
    utf8Encoder.encode(
      `GET /api/uuid HTTP/1.1\r\nHost: ${
        "a.".repeat(HEAD_BYTES / 2)
      }h${next()}\r\n\r\n`,
    ),
  "a path of slashes": () => send("/".repeat(HEAD_BYTES)),
  "a path of escapes": () => send(`/${"%41".repeat(HEAD_BYTES / 3)}`),
  "a path of dots": () => send(`/${"../".repeat(HEAD_BYTES / 3)}`),
  "a method of letters": () => send("/api/uuid", "", "A".repeat(HEAD_BYTES)),
  "Mcp-Protocol-Version of letters": () =>
    utf8Encoder.encode(
      `POST /mcp HTTP/1.1\r\nHost: h\r\nMcp-Protocol-Version: ${
        "a".repeat(HEAD_BYTES)
      }\r\nContent-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}`,
    ),
  // Queries.
  "parameters with colliding names": () =>
    send(`/api/uuid?${list(collide, HEAD_BYTES).replaceAll(",", "&")}`),
  "parameters with new names": () =>
    send(`/api/password?${list(makeWord, HEAD_BYTES).replaceAll(",", "&")}`),
  "parameters of one name": () =>
    send(`/api/password?${"length&".repeat(HEAD_BYTES / 7)}`),
  "parameters of escapes": () =>
    send(`/api/password?${"%61&".repeat(HEAD_BYTES / 4)}`),
  "a parameter of digits": () =>
    send(`/api/uuid?count=${"9".repeat(HEAD_BYTES)}`),
  "a parameter of plus signs": () =>
    send(`/api/password?symbols=${"+".repeat(HEAD_BYTES)}`),
  // Small bodies.
  "15.5 KB, colliding strings": () =>
    post("/api/hash", `[${list(() => quote(collide()), 15_500)}]`),
  "32 KB, colliding strings": () =>
    post(
      "/api/hash",
      `{"a":[${list(() => quote(collide()), SMALL_BYTES - 10)}]}`,
    ),
  "32 KB, escaped colliding strings": () =>
    post(
      "/api/hash",
      `[${list(() => quote(escapeDigits(collide())), SMALL_BYTES)}]`,
    ),
  "32 KB, colliding strings of six digits": () =>
    post(
      "/api/hash",
      `[${
        list(
          () => quote(String(16_384 * (7 + next() % 54) + next() % 64)),
          SMALL_BYTES,
        )
      }]`,
    ),
  "32 KB, colliding names": () =>
    post("/api/hash", toObject(collide, SMALL_BYTES)),
  "32 KB, new names": () => post("/api/hash", toObject(makeWord, SMALL_BYTES)),
  "32 KB, new names of objects": () =>
    post("/api/hash", `[${list(() => `{"${makeWord()}":0}`, SMALL_BYTES)}]`),
  "32 KB, new strings": () =>
    post("/api/hash", `[${list(() => quote(makeWord()), SMALL_BYTES)}]`),
  "32 KB, nested arrays": () =>
    post("/api/hash", fill('{"x":', "[", "", SMALL_BYTES)),
  "32 KB, nested objects": () =>
    post("/api/hash", fill('{"x":', '{"a":', "", SMALL_BYTES)),
  "32 KB, one name": () =>
    post("/api/hash", fill("{", '"a":0,', '"input":""}', SMALL_BYTES)),
  "32 KB, digits": () =>
    post("/api/hash", fill('{"input":', "9", "}", SMALL_BYTES)),
  "32 KB, a fraction": () =>
    post("/api/hash", fill('{"input":0.', "0", "1}", SMALL_BYTES)),
  "32 KB, format deepest": () => post("/api/json", DEEPEST),
  // Messages.
  "mcp, 15 KB of colliding strings besides the arguments": () =>
    postMessage(
      `"method":"ping","params":{"_meta":{"a":[${
        list(() => quote(collide()), 9_000)
      }]}}`,
    ),
  "mcp, 15 KB of colliding names besides the arguments": () =>
    postMessage(
      `"method":"ping","params":{"_meta":{${
        list(() => `"${collide()}":"0"`, 12_000)
      }}}`,
    ),
  "mcp, nesting besides the arguments": () =>
    postMessage(
      `"method":"ping","params":{"_meta":{"a":${"[".repeat(900)}${
        "]".repeat(900)
      }}}`,
    ),
  "mcp, a name of a tool of 16 KB": () => callTool("x".repeat(15_000), "{}"),
  "mcp, a colliding identifier": () =>
    post("/mcp", `{"jsonrpc":"2.0","id":"${collide()}","method":"ping"}`),
  "mcp, 32 KB of colliding arguments": () =>
    callTool("hashText", toObject(collide, 30_000)),
  "mcp, 32 KB of new arguments": () =>
    callTool("hashText", toObject(makeWord, 30_000)),
  "mcp, 32 KB of arguments of a query": () =>
    callTool("generateUuids", `{"count":"${"&".repeat(30_000)}"}`),
  // Large bodies.
  "1 MB, colliding names": () =>
    post("/api/hash", toObject(collide, maxBodyBytes)),
  "1 MB, new names": () => post("/api/hash", toObject(makeWord, maxBodyBytes)),
  "1 MB, escaped names that are equal": () =>
    post("/api/hash", fill("{", '"\\u0061":0,', '"input":""}')),
  "1 MB, an escaped known name": () =>
    post("/api/hash", fill("{", '"\\u0069nput":"",', '"algorithm":"sha1"}')),
  "1 MB, colliding strings": () =>
    post("/api/json", `[${list(() => quote(collide()), maxBodyBytes)}]`),
  "1 MB, an array instead of an object": () =>
    post("/api/hash", fill("[", '"a",', '"b"]')),
  "1 MB, nested arrays": () => post("/api/json", fill('{"x":', "[", "")),
  "1 MB, balanced arrays": () =>
    post(
      "/api/json",
      `{"x":${"[".repeat(maxBodyBytes / 2 - 5)}${
        "]".repeat(maxBodyBytes / 2 - 5)
      }}`,
    ),
  "1 MB, digits": () => post("/api/json", fill('{"indent":', "9", "}")),
  "1 MB, spaces": () => post("/api/json", fill("{", " ", "}")),
  "1 MB, error after many lines": () =>
    post("/api/json", fill("{", "\n", "x}")),
  "1 MB, no UTF-8 at the end": () => {
    const bytes = post("/api/json", fill('{"input":"', "\ufffd", '"}'));
    bytes[bytes.length - 3] = 0xff;
    return bytes;
  },
  "hash, escapes": () =>
    post("/api/hash", fill('{"algorithm":"sha1","input":"', "\\n", '"}')),
  "hash, a lone surrogate last": () =>
    post("/api/hash", fill('{"algorithm":"sha1","input":"', "a", '\\ud800"}')),
  "base64 encode, surrogate pairs": () =>
    post("/api/base64", fill('{"action":"encode","input":"', "😀", '"}')),
  "base64 decode, spaces": () =>
    post("/api/base64", fill('{"action":"decode","input":"', "A ", '"}')),
  "base64 decode, foreign character last": () =>
    post("/api/base64", fill('{"action":"decode","input":"', "A ", 'é"}')),
  "json validate, open arrays": () =>
    post("/api/json", fill('{"action":"validate","input":"', "[", '"}')),
  "json validate, balanced arrays": () => post("/api/json", nest("validate")),
  "json minify, error after many lines": () =>
    post("/api/json", fill('{"action":"minify","input":"', "\\n", 'x"}')),
  "json format, lone surrogates": () =>
    post(
      "/api/json",
      fill('{"action":"format","input":"[', '\\"\\ud800\\",', '0]"}'),
    ),
  "json format, a lone surrogate last": () =>
    post(
      "/api/json",
      fill('{"action":"format","input":"\\"', "a", '\\ud800\\""}'),
    ),
  "json format, surrogate pairs": () =>
    post("/api/json", fill('{"action":"format","input":"\\"', "😀", '\\""}')),
  "json format, zeros": () =>
    post("/api/json", fill('{"action":"format","input":"[', "0,", '0]"}')),
  "json format, empty objects": () =>
    post("/api/json", fill('{"action":"format","input":"[', "{},", '0]"}')),
  "json format, too deep": () => post("/api/json", nest("format")),
  "mcp, json format, zeros": () =>
    callTool(
      "processJson",
      fill('{"action":"format","input":"[', "0,", '0]"}', maxBodyBytes - 200),
    ),
  "mcp, json format, deepest": () => callTool("processJson", DEEPEST),
  "mcp, base64 decode, control characters": () =>
    callTool(
      "convertBase64",
      fill('{"action":"decode","input":"', "AQEB", '"}', maxBodyBytes - 200),
    ),
  "mcp, 1 MB of colliding arguments": () =>
    callTool("hashText", toObject(collide, maxBodyBytes - 200)),
  "mcp, 1 MB of new arguments": () =>
    callTool("hashText", toObject(makeWord, maxBodyBytes - 200)),
  "mcp, 1 MB of escaped arguments": () =>
    callTool(
      "hashText",
      fill("{", '"\\u0061":0,', '"input":""}', maxBodyBytes - 200),
    ),
  "mcp, 1 MB besides the arguments": () =>
    postMessage(
      `"method":"ping","params":[${
        list(() => quote(collide()), maxBodyBytes - 200)
      }]`,
    ),
};
