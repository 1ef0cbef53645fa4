/**
 * Guarantees under load: what a client is promised while others send large, slow or
 * abandoned requests. The service runs as users start it, and every exchange goes over a
 * real socket.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { constants } from "node:http2";
import { RawConnection } from "../_connection.ts";
import {
  NEEDS_POSIX,
  run,
  startServer,
  testOnBoth,
  testOnLinux,
} from "../_server.ts";
import { waitFor } from "../_within.ts";
import {
  ask,
  assertSmallAnswered,
  countUntil,
  DEEP,
  HASH,
  holdResults,
  LARGE_CALL,
  LARGE_REQUEST,
  openMany,
  post,
  postHead,
  requestResult,
  SMALL_CALL,
  SMALL_REQUEST,
  toolCall,
} from "./_exchanges.ts";

/** Large requests that are in progress at a time. */
const LARGE_COUNT = 24;

/** Adds a slash to the path of a request, which the service ignores, and its log shows. */
function addSlash(request: string): string {
  return request.replace(" HTTP", "/ HTTP");
}

testOnBoth(
  "a small request is answered before large ones that came first",
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
      // Meanwhile the service reads the others, but for their last byte.
      await assertSmallAnswered(server);
      const { length } = server.log();
      // In one go, so that the last request follows the others even on a busy machine.
      const answers = large.map((each) => ask(each, "}"));
      assertEquals(await ask(connection, addSlash(small)), 200);
      for (const status of await Promise.all(answers)) {
        assert(status === 200 || status === 503, String(status));
      }
      // The service logs in the order in which it answers.
      const readPaths = () =>
        [...server.log().slice(length).matchAll(/^"POST" "(.+\/)".*\n/gm)]
          .map(([, path]) => path!);
      await waitFor(() => readPaths().length > LARGE_COUNT);
      const before = readPaths().indexOf(path);
      const message = `answered after ${before} of ${LARGE_COUNT}`;
      assert(before < LARGE_COUNT / 2, message);
    }
  },
  { variables: { LOG_REQUESTS: "1" } },
);

testOnBoth(
  "small requests are answered while transfers that stand still fill the rooms",
  async (server) => {
    await holdResults(server, 3);
    for (let i = 0; i < 7; i += 1) requestResult(server);
    // The last ones leave less room than a small request would need.
    const sizes = [...Array(80).fill(1_000_000), ...Array(80).fill(35_000)];
    const uploads = await openMany(server, sizes.length);
    for (const [i, upload] of uploads.entries()) {
      const path = i % 2 === 0 ? "/api/hash" : "/mcp";
      const head = i % 4 < 2
        ? `${postHead(path)}fffff\r\n`
        : postHead(path, sizes[i] + 1);
      // The service reads it when it has room, or closes the connection.
      upload.send(head + " ".repeat(sizes[i])).catch(() => {});
    }
    await assertSmallAnswered(server);
    await delay(1_100);
    for (let i = 0; i < 3; i += 1) requestResult(server);
    await assertSmallAnswered(server);
  },
);

testOnBoth(
  "a hundred large requests at once are all answered",
  async (server) => {
    const clients = await openMany(server, 100);
    async function askAll(count: number, ...requests: string[]) {
      const asked = clients.slice(0, count)
        .map((client, i) => ask(client, requests[i % requests.length]!));
      assertEquals(await Promise.all(asked), Array(count).fill(200));
    }
    // Few bytes of each, so that a slow machine needs far less than the 10 s that a request
    // may wait. They are several times what is received at once.
    const text = `[${"0,".repeat(150_000)}0]`;
    await askAll(
      100,
      post("/api/json", { action: "minify", input: text }),
      post("/mcp", toolCall("hashText", HASH), 300_000),
      post("/api/hash", HASH, 300_000),
      post("/api/base64", { action: "encode", input: "a" }, 300_000),
    );
    // Results of 8, 3, 4.5 and 1.3 MB: three of each are more than results may take.
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
  "large requests are answered while others stand still halfway",
  async (server) => {
    const head = postHead("/api/hash", 1_000_000);
    for (const bytes of [1, 40_000, 150_000]) {
      for (const client of await openMany(server, 100)) {
        await client.send(head.padEnd(head.length + bytes));
      }
    }
    await assertSmallAnswered(server);
    using connection = await RawConnection.open(server);
    for (const request of [LARGE_REQUEST, LARGE_CALL]) {
      assertEquals(await ask(connection, request), 200);
    }
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
      const clients = await openMany(server, 60, scope);
      for (const each of clients) await each.send(deep);
      await delay(50);
    }
    const call = ask(small, SMALL_CALL);
    const largeCount = await countUntil(call, large, LARGE_REQUEST);
    assert(largeCount < 4, `after ${largeCount} large requests`);
    for (let i = 0; i < 100; i += 1) {
      requestResult(server).close(constants.NGHTTP2_CANCEL);
    }
    const count = await measure();
    assert(count < 4 * usual + 100, `after ${count}, usually ${usual}`);
  },
);

testOnBoth(
  "the service survives the lack of file descriptors",
  async (server) => {
    {
      using scope = new DisposableStack();
      const early = await openMany(server, 4, scope);
      for (let i = 0; i < 200; i += 1) {
        // While the listener is replaced, connections are refused.
        await openMany(server, 1, scope).catch(() => {});
      }
      await delay(300);
      // The first tool calls come now. They may fail.
      const calls = early.map((each) => ask(each, SMALL_CALL));
      await Promise.race([Promise.allSettled(calls), delay(1_000)]);
    }
    await waitFor(() =>
      assertSmallAnswered(server).then(() => true, () => false)
    );
  },
  { ...NEEDS_POSIX, maxFiles: 64 },
);

testOnLinux(
  "300 clients that do not read results of 8 MiB cost at most 700 MiB",
  async () => {
    await using server = await startServer();
    const clients = await openMany(server, 300);
    for (const each of clients) await each.send(post("/api/json", DEEP));
    await assertSmallAnswered(server);
    const { output } = await run(["cat", `/proc/${server.pid}/status`]);
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(output)!;
    assert(Number(peak) < 700 * 1024, `${peak} kB`);
  },
);
