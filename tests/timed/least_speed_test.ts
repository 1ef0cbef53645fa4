/**
 * Slow clients over real sockets, at speeds that are near the least that is promised. On a
 * busy machine, the tests themselves would be too slow.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  ask,
  askDeep,
  DEEP_RESULT,
  DIGEST,
  HASH,
  holdResults,
  LARGE_REQUEST,
  postHead,
  read,
  requestResult,
  toChunk,
  toolCall,
  waitForResponse,
} from "../guarantees/_exchanges.ts";
import { RawConnection, startServer } from "../_server.ts";

Deno.test("a client that reads 80 KiB/s gets its whole result while the room is full", async () => {
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

Deno.test("clients that read 8 MiB at 100 KiB/s leave room for the results of others", async () => {
  await using server = await startServer();
  const results = await holdResults(server, 3);
  let speed = 100;
  const reading = results.map((result) => read(result, () => speed));
  const asked = await Promise.all([askDeep(server), askDeep(server)]);
  speed = Infinity;
  assertEquals(asked, [200, 200]);
  const sizes = await Promise.all(reading);
  assert(sizes.every((bytes) => bytes > DEEP_RESULT.length), `${sizes}`);
});

Deno.test("clients that read results of 8 MiB slowly do not keep the bodies of others away", async () => {
  await using server = await startServer();
  for (let i = 0; i < 7; i += 1) read(requestResult(server), () => 120);
  // Their results take all memory that results can have.
  await delay(1_000);
  using client = await RawConnection.open(server);
  for (let i = 0; i < 3; i += 1) {
    assertEquals(await ask(client, LARGE_REQUEST), 200);
  }
});

/** Size of a piece of a body in bytes, and the time for it at 160 KiB/s in milliseconds. */
const PIECE_BYTES = 4_096;
const PIECE_MS = 25;

Deno.test("a body that comes at 160 KiB/s may take longer than BODY_TIMEOUT_MS", async () => {
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
    for (let start = 0; start < body.length; start += PIECE_BYTES) {
      const piece = body.slice(start, start + PIECE_BYTES);
      await connection.send(isChunked ? toChunk(piece) : piece);
      due += PIECE_MS;
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
