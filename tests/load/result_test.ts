/** Large results: the memory that they wait for, keep and free. */

import { assert, assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sendWritten } from "../../lib/http/json_response.ts";
import { tryStartQuick } from "../../lib/load/load.ts";
import { StreamedResult } from "../../lib/load/streamed_result.ts";
import { createHandler } from "../../routes/mod.ts";
import { createLarge, createLoad, createResult, settle } from "./_load.ts";

Deno.test("a result whose last page has one byte comes whole, and counts until it has left", async () => {
  const handler = createHandler({ threads: 64 });
  const input = `${"[".repeat(2e3)}"${"a".repeat(374_174)}"${"]".repeat(2e3)}`;
  const result = JSON.stringify(JSON.parse(input), null, 2);
  const body = JSON.stringify({ action: "format", input });
  const headers = { host: "h" };
  const init = { method: "POST", headers, body };
  const ask = async (info = {}) =>
    await handler(new Request("http://h/api/json", init), info);
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  await (await ask({ completed })).text();
  const leave = [
    () => Promise.resolve(resolve()),
    async (held: Response) =>
      assertEquals((await held.json()).result === result, true),
    (held: Response) => held.body!.cancel(),
  ];
  let held = new Response();
  for (const each of leave) {
    let isAnswered = false;
    const next = ask().finally(() => isAnswered = true);
    for (let i = 0; i < 50; i += 1) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    assertEquals(isAnswered, false);
    await each(held);
    held = await next;
    assertEquals(held.status, 200);
  }
  await held.body!.cancel();
});

Deno.test("the memory of a large result is freed once it has been sent, not while it may be read", async () => {
  const request = new Request("http://h");
  for (const freesResults of [true, false]) {
    const load = createLoad({ freesResults });
    const parts = [new Uint8Array(100_000), new Uint8Array(50_000)];
    const lengths = () => parts.map(({ byteLength }) => byteLength);
    const { promise, resolve } = Promise.withResolvers<void>();
    const info = { completed: promise };
    const result = new StreamedResult({ request, info, load });
    const reader = result.stream(parts).getReader();
    while (!(await reader.read()).done);
    assertEquals(lengths(), [100_000, 50_000]);
    resolve();
    await settle();
    assertEquals(lengths(), freesResults ? [0, 0] : [100_000, 50_000]);
  }
});

Deno.test("an aborted result keeps no memory, although its client stays", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { promise: completed } = Promise.withResolvers<void>();
  const scope = {
    request: new Request("http://h"),
    info: { completed },
    load: createLoad(),
  };
  const result = new StreamedResult(scope);
  const unsent = new Uint8Array(20);
  const reader = result.stream([new Uint8Array(10), unsent]).getReader();
  const sent = new WeakRef((await reader.read()).value!);
  result.abort();
  // Freed at once: until the next collection, many aborted results would take too much.
  assertEquals(unsent.byteLength, 0);
  await delay(1);
  collect();
  assertEquals(sent.deref(), undefined);
  assert((await reader.read()).done);
});

Deno.test("a finished result that waits for memory does not stop the one that is being written", async () => {
  const load = createLoad({ bodyBytes: 0, resultBytes: 100, writers: 1 });
  const [whole, written] = [createResult(load), createResult(load)];
  await load.writers.reserve(written.large, 1);
  await written.reserve(50);
  const log: string[] = [];
  const isReserved = whole.reserve(60).then(() => log.push("whole"));
  written.reserve(90).then(() => log.push("written"));
  await settle();
  assertEquals(log, ["written"]);
  load.writers.release(written.large);
  written.abort();
  await isReserved;
  assertEquals(log, ["written", "whole"]);
});

Deno.test("a result that waits takes the memory that bodies have left", async () => {
  const load = createLoad({ bodyBytes: 100, resultBytes: 100, writers: 1 });
  const [body, next] = [createLarge(), createLarge()];
  assert(load.bodies.tryReserve(body, 100));
  const waiting = load.bodies.reserve(next, 50);
  await createResult(load).reserve(90);
  const reserved = createResult(load).reserve(80);
  load.bodies.release(body);
  await waiting;
  load.bodies.release(next);
  await reserved;
  assertEquals(load.bodies.tryLend(next, 21), false);
});

Deno.test("work whose request leaves the queue ends at once", async () => {
  const load = createLoad({ workBytes: 100, quickBytes: 100 });
  const client = new AbortController();
  const request = new Request("http://h", { signal: client.signal });
  const scope = { request, load };
  assert(load.work.tryReserve(createLarge(), 100) && tryStartQuick(scope, 9));
  let isEnded = false;
  const response = sendWritten(scope, function* () {
    try {
      for (;;) yield;
    } finally {
      isEnded = true;
    }
  }).catch(({ status }) => status);
  assertEquals(isEnded, false);
  client.abort();
  assertEquals(await response, 499);
  assertEquals(isEnded, true);
});

Deno.test("six results of 8 MiB wait for their readers at a time, again and again", async () => {
  const handler = createHandler({});
  const input = "[".repeat(2_045) + "]".repeat(2_045);
  const body = JSON.stringify({ action: "format", input });
  const init = { method: "POST", headers: { host: "h" }, body };
  const ask = async () => await handler(new Request("http://h/api/json", init));
  for (let round = 0; round < 2; round += 1) {
    const responses = await Promise.all(Array.from({ length: 6 }, ask));
    assertEquals(responses.map(({ status }) => status), Array(6).fill(200));
    for (const response of responses) {
      assert((await response.bytes()).byteLength > 8_300_000);
    }
  }
});
