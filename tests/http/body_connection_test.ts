/** POST bodies over connections: those that are received, and those that are refused. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { RawConnection } from "../_connection.ts";
import { testBothWays } from "../_thread.ts";
import type { FetchHandler } from "../../routes/mod.ts";

const MIB = 1024 * 1024;

const TOO_LARGE = /the body must be at most 1048576 bytes/;
const NOTHING = /the body must be a JSON object, got nothing/;

/** Serves on a free port of the loopback interface. */
function serve(handler: FetchHandler): AsyncDisposable & { port: number } {
  const ending = new AbortController();
  const { signal } = ending;
  const options = { hostname: "127.0.0.1", port: 0, onListen() {}, signal };
  const server = Deno.serve(options, handler);
  return {
    port: server.addr.port,
    [Symbol.asyncDispose]() {
      // `shutdown()` would wait for bodies of which the rest does not come.
      ending.abort();
      return server.finished;
    },
  };
}

/** The head of a POST, to `/api/hash`. */
function postHead(...lines: readonly string[]): string {
  return ["POST /api/hash HTTP/1.1", "Host: h", ...lines, "", ""].join("\r\n");
}

function toChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/** Makes a body of a number of bytes whose input differs everywhere, and its digest. */
function createHashBody(byteLength: number): { body: string; digest: string } {
  const frame = JSON.stringify({ algorithm: "sha256", input: "" }).length;
  let input = "";
  for (let i = 0; input.length < byteLength; i += 1) input += `${i},`;
  input = input.slice(0, byteLength - frame);
  return {
    body: JSON.stringify({ algorithm: "sha256", input }),
    digest: createHash("sha256").update(input).digest("hex"),
  };
}

testBothWays(
  "a body of any size is received whole, with Content-Length and in chunks",
  async (create) => {
    await using server = serve(create());
    const limits = [64 * 1024, 256 * 1024, MIB];
    const sizes = limits.flatMap((bytes) => [bytes - 1, bytes, bytes + 1]);
    for (const size of [100, ...sizes.filter((bytes) => bytes <= MIB)]) {
      const { body, digest } = createHashBody(size);
      const chunks = [body.slice(0, 70_000), body.slice(70_000)]
        .filter((text) => text !== "").map(toChunk);
      const requests = [
        `${postHead(`Content-Length: ${size}`)}${body}`,
        `${postHead("Transfer-Encoding: chunked")}${chunks.join("")}0\r\n\r\n`,
      ];
      for (const request of requests) {
        // Deno before 2.9.6 closes a connection after a POST of more than about 1 KB.
        using connection = await RawConnection.open(server);
        await connection.send(request);
        const answer = await connection.receive();
        assertEquals(answer.status, 200, answer.body);
        assert(answer.body.includes(digest), `${size} bytes`);
      }
    }
  },
);

// Each client waits for the response, and sends no more than this.
testBothWays(
  "a body that cannot be received is refused before the rest of it comes",
  async (create, t) => {
    await using server = serve(create({ bodyTimeoutMs: 3_000 }));
    const spaces = " ".repeat(MIB);
    const rows = [
      [postHead(`Content-Length: ${MIB + 1}`), 413, TOO_LARGE],
      [`${postHead(`Content-Length: ${MIB + 1}`)}{`, 413, TOO_LARGE],
      [postHead(`Content-Length: ${8 * MIB}`), 413, TOO_LARGE],
      [postHead("Content-Length: 9007199254740993"), 413, TOO_LARGE],
      [
        `${postHead("Transfer-Encoding: chunked")}${toChunk(`${spaces} `)}`,
        413,
        TOO_LARGE,
      ],
      [
        postHead("Content-Length: 9", "Content-Encoding: gzip"),
        415,
        /the Content-Encoding header must be "identity" or absent, got "gzip"/,
      ],
      [
        postHead("Transfer-Encoding: gzip, chunked"),
        501,
        /the Transfer-Encoding header must be "chunked" or absent/,
      ],
      [postHead(), 400, NOTHING],
      [postHead("Content-Length: 0"), 400, NOTHING],
    ] as const;
    for (const [request, status, message] of rows) {
      await t.step(`${JSON.stringify(request.slice(0, 120))}`, async () => {
        using connection = await RawConnection.open(server);
        await connection.send(request);
        const answer = await connection.receive();
        assertEquals(answer.status, status, answer.body);
        assertMatch(JSON.parse(answer.body).error, message);
      });
    }
  },
);

testBothWays(
  "a body that stops coming gets 408, with which the connection ends",
  async (create, t) => {
    await using server = serve(create({ bodyTimeoutMs: 100 }));
    const rows = [
      `${postHead("Content-Length: 9")}{`,
      `${postHead("Content-Length: 100000")}{`,
      `${postHead("Content-Length: 100000")}${" ".repeat(99_999)}`,
      `${postHead("Content-Length: 600000")}${" ".repeat(100_000)}`,
      `${postHead("Transfer-Encoding: chunked")}${toChunk("{")}`,
      `${postHead("Transfer-Encoding: chunked")}${toChunk(" ".repeat(70_000))}`,
    ];
    for (const request of rows) {
      await t.step(`${request.slice(34, 80)}`, async () => {
        using connection = await RawConnection.open(server);
        await connection.send(request);
        const { status, head, body } = await connection.receive();
        assertEquals(status, 408, body);
        const error = "the body must arrive within 100 milliseconds";
        assertEquals(JSON.parse(body), { error });
        assertMatch(head, /^connection: close$/im);
      });
    }
  },
);
