/** Guarantees while other clients send many large or abandoned requests, over real sockets. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { constants } from "node:http2";
import { exchange, RawConnection } from "../_connection.ts";
import {
  NEEDS_POSIX,
  startServer,
  testOnBoth,
  testOnLinux,
} from "../_server.ts";
import { waitFor } from "../_within.ts";
import {
  ask,
  assertSmallRequestsSucceed,
  countUntil,
  DEEP,
  HASH,
  LARGE_CALL,
  LARGE_REQUEST,
  openMany,
  post,
  postHead,
  readKilobytes,
  requestResult,
  SMALL_CALL,
  SMALL_REQUEST,
  toolCall,
  UNREAD,
} from "./_exchanges.ts";

/** Number of simultaneous large requests. */
const LARGE_COUNT = 16;

/** Adds a slash to the path of a request. The service ignores it, but its log shows it. */
function addSlash(request: string): string {
  return request.replace(" HTTP", "/ HTTP");
}

testOnBoth(
  "a small request gets its response before large ones that arrived first",
  async (server) => {
    for (
      const [request, small, path] of [
        [LARGE_REQUEST, SMALL_CALL, "/mcp/"],
        [LARGE_CALL, SMALL_REQUEST, "/api/hash/"],
      ] as const
    ) {
      const large = await openMany(server, LARGE_COUNT);
      using connection = await RawConnection.open(server);
      const bytes = new TextEncoder().encode(addSlash(request));
      for (const each of large) await each.send(bytes.subarray(0, -1));
      // In the meantime, the service reads the large requests, except for their last byte.
      await assertSmallRequestsSucceed(server);
      const { length } = server.log();
      // All at once, so the small request arrives last even on a busy computer.
      const responses = large.map((each) => ask(each, "}"));
      assertEquals(await ask(connection, addSlash(small)), 200);
      for (const status of await Promise.all(responses)) {
        assert(status === 200 || status === 503, String(status));
      }
      // The service logs requests in the order of its responses.
      const readPaths = () =>
        [...server.log().slice(length).matchAll(/^"POST" "(.+\/)".*\n/gm)]
          .map(([, path]) => path!);
      await waitFor(() => readPaths().length > LARGE_COUNT);
      const before = readPaths().indexOf(path);
      const message = `after ${before} of ${LARGE_COUNT}`;
      assert(before < LARGE_COUNT / 2, message);
    }
  },
  { variables: { LOG_REQUESTS: "1" } },
);

testOnBoth(
  "a hundred simultaneous large requests all succeed",
  async (server) => {
    const clients = await openMany(server, 100);
    async function askAll(count: number, ...requests: string[]) {
      const asked = clients.slice(0, count)
        .map((client, i) => ask(client, requests[i % requests.length]!));
      assertEquals(await Promise.all(asked), Array(count).fill(200));
    }
    // Small enough that a slow computer needs far less than the 10 s that a request can wait.
    const text = `[${"0,".repeat(150_000)}0]`;
    await askAll(
      100,
      post("/api/json", { action: "minify", input: text }),
      post("/mcp", toolCall("hashText", HASH), 300_000),
      post("/api/hash", HASH, 300_000),
      post("/api/base64", { action: "encode", input: "a" }, 300_000),
    );
    // Results of 8, 3, 0.75 and 1.3 MB.
    const [numbers, zeros] = ["0,".repeat(500_000), "AAAA".repeat(250_000)];
    await askAll(
      12,
      post("/api/json", DEEP),
      post("/api/json", { action: "format", input: `[${numbers}0]` }),
      post("/api/base64", { action: "decode", input: zeros }),
      post("/api/base64", { action: "encode", input: numbers }),
    );
  },
);

testOnBoth(
  "requests of any size succeed while stalled uploads and unread results occupy all slots",
  async (server) => {
    for (let i = 0; i < 70; i += 1) requestResult(server, UNREAD);
    for (const bytes of [1, 40_000, 150_000]) {
      for (const [i, client] of (await openMany(server, 100)).entries()) {
        const path = i % 2 === 0 ? "/api/hash" : "/mcp";
        const start = i % 4 < 2
          ? `${postHead(path)}f4240\r\n`
          : postHead(path, 1_000_000);
        await client.send(start.padEnd(start.length + bytes));
      }
    }
    await assertSmallRequestsSucceed(server);
    using connection = await RawConnection.open(server);
    for (const request of [LARGE_REQUEST, LARGE_CALL]) {
      assertEquals(await ask(connection, request), 200);
    }
    await assertSmallRequestsSucceed(server);
  },
);

testOnBoth(
  "work for clients that have disconnected delays no other client",
  async (server) => {
    using large = await RawConnection.open(server);
    using small = await RawConnection.open(server);
    const measure = () =>
      countUntil(ask(large, LARGE_REQUEST), small, SMALL_REQUEST);
    const usual = await measure();
    {
      using scope = new DisposableStack();
      const deep = post("/mcp", toolCall("processJson", DEEP));
      const clients = await openMany(server, 30, scope);
      for (const each of clients) await each.send(deep);
      await delay(50);
    }
    const call = ask(small, SMALL_CALL);
    const largeCount = await countUntil(call, large, LARGE_REQUEST);
    assert(largeCount < 4, `after ${largeCount} large requests`);
    for (let i = 0; i < 50; i += 1) {
      requestResult(server).close(constants.NGHTTP2_CANCEL);
    }
    const count = await measure();
    assert(count < 4 * usual + 100, `after ${count}, usually ${usual}`);
  },
);

testOnBoth(
  "the service recovers when file descriptors run out",
  async (server) => {
    {
      using scope = new DisposableStack();
      const early = await openMany(server, 4, scope);
      for (let i = 0; i < 200; i += 1) {
        // While the listener is replaced, the system rejects connections.
        await openMany(server, 1, scope).catch(() => {});
      }
      await delay(300);
      // The first tool calls arrive now. They can fail.
      const calls = early.map((each) => ask(each, SMALL_CALL));
      await Promise.race([Promise.allSettled(calls), delay(1_000)]);
    }
    await waitFor(() =>
      assertSmallRequestsSucceed(server).then(() => true, () => false)
    );
  },
  { ...NEEDS_POSIX, maxFiles: 64 },
);

testOnLinux(
  "100 clients that do not read results of 8 MiB cost at most 700 MiB",
  async () => {
    await using server = await startServer();
    const clients = await openMany(server, 100);
    for (const each of clients) await each.send(post("/api/json", DEEP));
    // The slots are first in, first out, so all clients have had one.
    await waitFor(async () =>
      (await exchange(server, LARGE_REQUEST)).status === 200
    );
    const peak = await readKilobytes(server, "VmHWM");
    assert(peak < 700 * 1024, `${peak} kB`);
  },
);
