/** Load control in process: rooms, their limits, and the scheduler. */

import { assert, assertEquals } from "@std/assert";
import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sendWritten } from "../lib/http/json_response.ts";
import { HttpError } from "../lib/http_error.ts";
import { LargeRequest } from "../lib/load/large_request.ts";
import { BodyBuffer } from "../lib/load/body_buffer.ts";
import {
  computeLimits,
  type LoadLimits,
  NO_LIMITS,
} from "../lib/load/limits.ts";
import { Load, tryStartQuick } from "../lib/load/load.ts";
import { StreamedResult } from "../lib/load/streamed_result.ts";
import { type Holder, MAX_WAITING, Room } from "../lib/load/room.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { WaitLog } from "../lib/load/wait_log.ts";
import { createHandler } from "../routes/mod.ts";
import { call } from "./_client.ts";
import { createExchange } from "./_matrix.ts";
import { captureLog, replace } from "./_replace.ts";

const MIB = 1024 * 1024;

function createLarge(signal?: AbortSignal): LargeRequest {
  return new LargeRequest(new Request("http://h", signal ? { signal } : {}));
}

/** A transfer that started some time ago. */
function createTransfer(ageMs: number, movedBytes = 0) {
  const large = createLarge();
  const startTime = performance.now() - ageMs;
  const transfer = { large, startTime, movedBytes, isAborted: false, abort };
  function abort(): void {
    transfer.isAborted = true;
  }
  return transfer satisfies Holder;
}

function createRoom(
  limit: number,
  { spare = 0, isStopping = () => false, waitLog = new WaitLog() }: Partial<
    ConstructorParameters<typeof Room>[1]
  > = {},
): Room {
  return new Room(limit, { spare, isStopping, waitLog });
}

function createLoad(
  { freesResults = false, ...limits }: Partial<LoadLimits> & {
    readonly freesResults?: boolean;
  } = {},
): Load {
  return new Load({
    freesResults,
    limits: { ...NO_LIMITS, bodyBytes: 100_000, ...limits },
    maxBodyBytes: MIB,
    bodyTimeoutMs: 10_000,
    isStopping: () => false,
  });
}

function createResult(load: Load): StreamedResult {
  return new StreamedResult({ request: new Request("http://h"), load });
}

function createBody(
  load: Load,
  body: BodyInit,
  headers: Record<string, string>,
): BodyBuffer {
  const init = { method: "POST", headers: { host: "h", ...headers }, body };
  const request = new Request("http://h", init);
  return new BodyBuffer({ request, load }, request.body!);
}

/** Reserves room, and notes in a log when it is there, or the status of the error. */
function reserve(
  log: unknown[],
  room: Room,
  { holder, amount, name }: { holder: Holder; amount: number; name: string },
): Promise<void> {
  return Promise.resolve(room.reserve(holder, amount)).then(
    () => void log.push(name),
    ({ status }: HttpError) => void log.push(`${name}: ${status}`),
  );
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}

Deno.test("requests that find no room wait, and the oldest is first", async () => {
  const room = createRoom(100);
  const [a, b, c, d] = Array.from({ length: 4 }, () => createLarge());
  const log: string[] = [];
  reserve(log, room, { holder: b!, amount: 80, name: "b" });
  reserve(log, room, { holder: d!, amount: 30, name: "d" });
  // It is younger than one that waits.
  assertEquals(room.tryReserve(createLarge(), 10), false);
  reserve(log, room, { holder: c!, amount: 30, name: "c" });
  reserve(log, room, { holder: a!, amount: 10, name: "a" });
  await settle();
  assertEquals([log.splice(0), room.waiting], [["b", "a"], 2]);
  room.release(b!);
  await settle();
  assertEquals([log, room.waiting], [["c", "d"], 0]);
  assertEquals(room.tryReserve(createLarge(), 30), true);
  assertEquals(room.tryReserve(createLarge(), 1), false);
});

Deno.test("a holder that has all the room may exceed it", async () => {
  const room = createRoom(100);
  const [a, b] = [createLarge(), createLarge()];
  assertEquals(room.tryReserve(a, 101), false);
  await room.reserve(a, 150);
  await room.reserve(a, 50);
  assertEquals(room.tryReserve(b, 1), false);
  room.release(a);
  assertEquals(room.tryReserve(b, 100), true);
});

Deno.test("the spare room is for one holder that can wait at a time, which never waits again", async () => {
  const room = createRoom(100, { spare: 40 });
  const [a, b, c] = [createLarge(), createLarge(), createLarge()];
  const log: string[] = [];
  assert(room.tryReserve(a, 30) && room.tryReserve(b, 30));
  assert(room.tryReserve(b, 20));
  reserve(log, room, { holder: a, amount: 20, name: "a" });
  assert(!room.tryReserve(c, 1) && room.tryReserve(b, 20));
  await settle();
  assertEquals(log, []);
  room.release(b);
  await settle();
  assertEquals(log, ["a"]);
  assert(room.tryReserve(c, 10) && room.tryReserve(c, 40));
  assertEquals(room.tryReserve(a, 1), false);
});

Deno.test("the holder that uses the spare room is first, also before older ones", async () => {
  const room = createRoom(100, { spare: 40 });
  const older = createLarge();
  const firm = { ...createTransfer(0), canWait: false };
  const user = createLarge();
  const log: string[] = [];
  assert(room.tryReserve(older, 30) && room.tryReserve(user, 40));
  assert(room.tryReserve(firm, 30));
  reserve(log, room, { holder: older, amount: 10, name: "older" });
  reserve(log, room, { holder: user, amount: 20, name: "user" });
  await settle();
  assertEquals(log, []);
  room.release(firm);
  await settle();
  assertEquals(log, ["user"]);
});

Deno.test("holders that cannot wait share the spare room with one that can", () => {
  const room = createRoom(100, { spare: 40 });
  const createFirm = () => ({ ...createTransfer(0), canWait: false });
  const [a, b, c] = [createFirm(), createLarge(), createFirm()];
  assert(room.tryReserve(a, 70) && room.tryReserve(b, 10));
  assert(room.tryReserve(a, 5) && room.tryReserve(c, 15));
  assert(!room.tryReserve(a, 1) && !room.tryReserve(b, 1));
});

Deno.test("while others keep the shared room, one holder at a time begins in the spare one", () => {
  const room = createRoom(100, { spare: 40 });
  const create = (outstanding: number) => ({
    ...createTransfer(0),
    outstanding,
  });
  const [large, first, second] = [create(41), create(40), create(10)];
  assert(room.tryReserve(createLarge(), 50));
  assert(!room.tryReserve(large, 1) && room.tryReserve(first, 5));
  first.outstanding = 35;
  assert(!room.tryReserve(second, 1) && room.tryReserve(first, 35));
  room.release(first);
  assert(room.tryReserve(second, 1));
});

Deno.test("work that begins without waiting leaves the spare room to bodies", () => {
  const scope = {
    request: new Request("http://h"),
    load: createLoad({ bodyBytes: 400, spareBytes: 300 }),
  };
  assertEquals(tryStartQuick(scope, 34), false);
  assertEquals(tryStartQuick(scope, 33), true);
});

Deno.test("a room lends what is free, except its spare part, while no request waits", async () => {
  const [body, other] = [createLarge(), createLarge()];
  const spare = createRoom(100, { spare: 40 });
  assert(!spare.tryLend(body, 61) && spare.tryLend(body, 60));
  const room = createRoom(100);
  const result = createTransfer(3_000);
  assert(room.tryReserve(body, 30) && room.tryLend(result, 50));
  const waiting = room.reserve(other, 40);
  assert(!result.isAborted && !room.tryLend(createLarge(), 10));
  await waiting;
  assert(result.isAborted && room.tryLend(createLarge(), 30));
});

Deno.test("a request whose client disconnects leaves the queue, also behind others", async () => {
  const room = createRoom(1);
  const client = new AbortController();
  const [holder, first] = [createLarge(), createLarge()];
  const second = createLarge(client.signal);
  const log: string[] = [];
  assert(room.tryReserve(holder, 1));
  reserve(log, room, { holder: first, amount: 1, name: "first" });
  const leaving = reserve(log, room, { holder: second, amount: 1, name: "b" });
  client.abort();
  await leaving;
  assertEquals([log, room.waiting], [["b: 499"], 1]);
  room.release(holder);
});

Deno.test("slow transfers are aborted, oldest first, while a request waits", async () => {
  const room = createRoom(100);
  const slow = createTransfer(3_000, 65_536);
  const later = createTransfer(1_500);
  const steady = createTransfer(3_000, 200_000);
  const young = createTransfer(500);
  const holders = [steady, slow, later, young];
  for (const holder of holders) assert(room.tryReserve(holder, 25));
  await room.reserve(createLarge(), 20);
  assertEquals(
    holders.map(({ isAborted }) => isAborted),
    [false, true, false, false],
  );
  await room.reserve(createLarge(), 25);
  assertEquals(
    holders.map(({ isAborted }) => isAborted),
    [false, true, true, false],
  );
});

Deno.test("a request waits 10 s in all, not behind too many, not while stopping, and not without its client", async () => {
  let isStopping = false;
  const room = createRoom(1, { isStopping: () => isStopping });
  const holder = createLarge();
  assert(room.tryReserve(holder, 1));
  const log: string[] = [];
  const late = createLarge();
  late.waitedMs = 10_000;
  const gone = new AbortController();
  const waiting = [
    reserve(log, room, { holder: late, amount: 1, name: "late" }),
    reserve(log, room, {
      holder: createLarge(gone.signal),
      amount: 1,
      name: "gone",
    }),
  ];
  gone.abort();
  await Promise.all(waiting);
  assertEquals(log.splice(0), ["late: 503", "gone: 499"]);
  const many = Array.from(
    { length: MAX_WAITING + 1 },
    () =>
      reserve(log, room, { holder: createLarge(), amount: 1, name: "many" }),
  );
  await settle();
  assertEquals(log.splice(0), ["many: 503"]);
  // It has a part of the room already, so others wait for it.
  const more = reserve(log, room, { holder, amount: 1, name: "more" });
  await more;
  assertEquals(log.splice(0), ["more"]);
  isStopping = true;
  const { checks } = room;
  await Promise.all(many);
  assertEquals(room.checks, checks + 1);
  assertEquals(log, Array(MAX_WAITING).fill("many: 503"));
});

Deno.test("a body that has come whole is not aborted as slow, however long it waits", async () => {
  const load = createLoad();
  const { bodies } = load;
  const headers = { "content-length": "60000" };
  const body = createBody(load, new Uint8Array(60_000), headers);
  await body.receive();
  const now = performance.now();
  using _clock = replace(performance, { now: () => now + 60_000 });
  const waiting = bodies.reserve(createLarge(), 60_000);
  const { checks } = bodies;
  while (bodies.checks < checks + 2) await new Promise((r) => setTimeout(r, 5));
  assert(bodies.has(body));
  assertEquals(body.join().byteLength, 60_000);
  body.release();
  await waiting;
});

Deno.test("a body with two equal fields Content-Length does not wait for others", async () => {
  const load = createLoad({ bodyBytes: MIB });
  assert(load.bodies.tryReserve(createLarge(), 100));
  const headers = { "content-length": "60000, 60000" };
  const body = createBody(load, new Uint8Array(60_000), headers);
  await body.receive();
  assertEquals(body.join().byteLength, 60_000);
  assertEquals(load.bodies.checks, 0);
  body.release();
});

Deno.test("a body that is aborted between two reads does not wait for memory", async () => {
  const load = createLoad();
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(4_096)),
  }, { highWaterMark: 0 });
  const body = createBody(load, stream, {});
  const received = body.receive().then(() => 200, ({ status }) => status);
  // The reading pauses after 16 chunks.
  while (body.movedBytes < 16 * 4_096) await Promise.resolve();
  body.abort(new HttpError(408, "late"));
  load.bodies.release(body);
  assert(load.bodies.tryReserve(createLarge(), 100_000));
  assertEquals(await received, 408);
  assertEquals(load.bodies.checks, 0);
  body.release();
});

Deno.test("the log counts long waits and refusals, in one line for each interval", async () => {
  using log = captureLog();
  async function takeLine(): Promise<string> {
    // The interval is 20 ms.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assertEquals(log.lines.map(([method]) => method), ["warn"]);
    const [[, line]] = log.lines.splice(0) as [[string, string]];
    return line.replace("large requests in the last minute: ", "");
  }
  const waitLog = new WaitLog(20);
  const room = createRoom(10, { waitLog });
  const [holder, late, other] = [createLarge(), createLarge(), createLarge()];
  assert(room.tryReserve(holder, 10));
  late.waitedMs = 10_000;
  await reserve([], room, { holder: late, amount: 10, name: "late" });
  assertEquals(
    await takeLine(),
    "0 waited longer than 3 s, 1 refused with 503",
  );
  other.waitedMs = 2_990;
  const waiting = reserve([], room, { holder: other, amount: 10, name: "" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  room.release(holder);
  await waiting;
  waitLog.noteWait(0, 3_000);
  waitLog.noteWait(0, 8_765);
  waitLog.noteWait(8_765, 9_876);
  assertEquals(
    await takeLine(),
    "2 waited longer than 3 s (9.9 s at most), 0 refused with 503",
  );
});

Deno.test("the rooms of a thread fit into its memory, and the largest body into each", () => {
  for (
    const [maxBodyBytes, threads, memoryMiB] of [
      [MIB, 1, 64],
      [MIB, 2, 32],
      [MIB, 64, 16],
      [1_000, 1, 64],
      [1.4 * MIB, 4, 16.4],
      [2.8 * MIB, 4, 24.8],
      [8 * MIB, 4, 56],
      [16 * MIB, 1, 104],
      [16 * MIB, 64, 104],
    ] as const
  ) {
    const limits = computeLimits(maxBodyBytes, threads);
    const { bodyBytes, spareBytes, resultBytes, workBytes } = limits;
    const sum = bodyBytes + resultBytes + 3 * workBytes +
      limits.quickResultBytes;
    assertEquals(Math.round(10 * sum / MIB) / 10, memoryMiB);
    assert(spareBytes > maxBodyBytes);
    assert(bodyBytes > spareBytes + maxBodyBytes / 2);
    assert(resultBytes > Math.max(4 / 3 * maxBodyBytes, 8 * MIB));
    assert(workBytes >= maxBodyBytes && limits.quickBytes < bodyBytes);
    assertEquals(limits.keptConnections * threads, 192);
  }
  assertEquals(computeLimits(Infinity, 4), NO_LIMITS);
});

Deno.test("large work runs in turn, in slices, until its client disconnects", async () => {
  const scheduler = new Scheduler();
  let log = "";
  function* work(name: string) {
    for (let i = 0; i < 3; i += 1) {
      log += name;
      scheduler.noteSmallRequest();
      for (const end = performance.now() + 3; performance.now() < end;);
      yield;
    }
    return name;
  }
  const timer = setInterval(() => log += "-", 0);
  const start = performance.now();
  const results = [..."abc"].map((name) => {
    const large = createLarge(name === "b" ? AbortSignal.abort() : undefined);
    return scheduler.runInSlices(large, work(name))
      .catch(({ status }) => status);
  });
  assertEquals(await Promise.all(results), ["a", 499, "c"]);
  clearInterval(timer);
  // Steps of 3 ms take 18 ms, and the pauses for small requests more than that.
  assert(performance.now() - start > 40, "it does not pause");
  assertEquals(log.replaceAll(/-+/g, "-").replace(/^-|-$/g, ""), "a-a-a-c-c-c");
});

Deno.test("short computations share a slice of 2 ms, or of 32 ms after a second without small requests", async () => {
  let now = 0;
  using _clock = replace(performance, { now: () => now });
  const scheduler = new Scheduler();
  /** Runs three computations; a hyphen stands for another round of the event loop. */
  async function runAll(milliseconds: number): Promise<string> {
    let log = "";
    const round = Promise.withResolvers<void>();
    setImmediate(() => {
      log += "-";
      setTimeout(round.resolve, 20);
    });
    for (const name of "abc") {
      await scheduler.startShort();
      log += name;
      now += milliseconds;
    }
    await round.promise;
    return log;
  }
  assertEquals(await runAll(15), "abc-");
  assertEquals(await runAll(16), "ab-c");
  scheduler.noteSmallRequest();
  assertEquals(await runAll(1), "ab-c");
  now += 990;
  assertEquals(await runAll(1), "ab-c");
  now += 10;
  assertEquals(await runAll(1), "abc-");
});

Deno.test("a body is read exactly unless it comes in very many tiny chunks", async () => {
  const lengths = [100, 32_768, 32_769, 245_760, 245_775, 262_160];
  // At the same time, since the service pauses between tiny chunks.
  await Promise.all(lengths.map(async (length) => {
    const { path, bytes, expected } = createExchange(0, length);
    for (const size of [15, 16, 1_000, 32_768, length]) {
      const starts = Array(Math.ceil(length / size)).keys();
      const cut = (i: number) => bytes.slice(size * i, size * i + size);
      const body = size < length
        ? ReadableStream.from(starts.map(cut))
        : new Blob([bytes]).stream();
      const headers = { "content-length": `${size}` }; // Mostly wrong.
      const answer = await call(path, { method: "POST", body, headers });
      if (size === 15 && length > 245_760) assertEquals(answer.status, 400);
      else assertEquals(answer.body, expected);
    }
  }));
});

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
