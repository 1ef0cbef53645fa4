/**
 * Slow clients over real sockets, just above the lowest promised speed. On a busy computer,
 * the tests themselves would be too slow.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assertEquals, assertMatch } from "@std/assert";
import {
  DIGEST,
  HASH,
  postHead,
  read,
  requestResult,
  toChunk,
  toolCall,
  waitForResponse,
} from "../guarantees/_exchanges.ts";
import { RawConnection, startServer } from "../_server.ts";

Deno.test("a client that reads 80 KiB/s gets its entire result while no memory is left", async () => {
  await using server = await startServer();
  const input = "[".repeat(380) + "]".repeat(380);
  const result = JSON.stringify(JSON.parse(input), null, 2);
  const slow = requestResult(server, { action: "format", input });
  await waitForResponse(slow);
  let isOver = false;
  const reading = read(slow, () => 80).finally(() => isOver = true);
  for (let i = 0; i < 10; i += 1) requestResult(server);
  while (!isOver) {
    requestResult(server);
    await delay(100);
  }
  const { length } = `${JSON.stringify({ result, valid: true })}\n`;
  assertEquals(await reading, length);
});

/** Size of a chunk of a body in bytes, and its time at 160 KiB/s in milliseconds. */
const CHUNK_BYTES = 4_096;
const CHUNK_MS = 25;

Deno.test("a body that arrives at 160 KiB/s can take longer than BODY_TIMEOUT_MS", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "500" });
  const bodies = {
    "/api/hash": JSON.stringify(HASH).padEnd(160_000),
    "/mcp": JSON.stringify(toolCall("hashText", HASH)).padEnd(160_000),
  };
  async function check(path: keyof typeof bodies, isChunked: boolean) {
    const body = bodies[path];
    using connection = await RawConnection.open(server);
    await connection.send(postHead(path, isChunked ? undefined : body.length));
    let due = performance.now();
    for (let start = 0; start < body.length; start += CHUNK_BYTES) {
      const chunk = body.slice(start, start + CHUNK_BYTES);
      await connection.send(isChunked ? toChunk(chunk) : chunk);
      due += CHUNK_MS;
      await delay(Math.max(0, due - performance.now()));
    }
    if (isChunked) await connection.send(toChunk(""));
    const answer = await connection.receive();
    assertEquals(answer.status, 200, answer.body);
    assertMatch(answer.body, new RegExp(DIGEST));
  }
  for (const path of ["/api/hash", "/mcp"] as const) {
    await Promise.all([check(path, false), check(path, true)]);
  }
});
