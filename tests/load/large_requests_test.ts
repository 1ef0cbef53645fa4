/** Large requests of several clients, in process, while the time stands still. */

import { setImmediate as setImmediateCallback } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import { toResponse } from "../../lib/http/answer.ts";
import {
  type Admit,
  type Compute,
  DEFAULT_BODY_LIMITS,
  type ServeInfo,
} from "../../lib/http/body.ts";
import { createAdmission } from "../../lib/load/mod.ts";
import { LoadError } from "../../lib/operation/context.ts";
import {
  createHandler,
  type FetchHandler,
  type HandlerOptions,
} from "../../routes/mod.ts";
import type { Bytes } from "../../lib/values/buffer.ts";
import { replace } from "../_replace.ts";
import { createSmallAdmission, createSmallHandler } from "../_thread.ts";
import { waitFor, within } from "../_within.ts";

const MIB = 1024 * 1024;

const HASH = JSON.stringify({ algorithm: "sha1", input: "a" });

/** A body of 1 MiB, of which the last byte comes later. */
class Upload {
  readonly #last = Promise.withResolvers<void>();
  readonly request: Request;

  constructor(headers: HeadersInit) {
    const last = this.#last.promise;
    const body = new ReadableStream({
      type: "bytes",
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(HASH.padEnd(MIB - 1)));
        await last;
        controller.enqueue(new TextEncoder().encode(" "));
        controller.close();
      },
    });
    this.request = new Request("http://h/api/hash", {
      method: "POST",
      headers,
      body,
    });
  }

  finish(): void {
    this.#last.resolve();
  }
}

/** A thread whose bodies have 6 MiB and whose results 8 MiB, and its clients. */
class Scene implements Disposable {
  readonly handler: FetchHandler;
  now = 1_000;
  readonly #time = replace(performance, { now: () => this.now });

  constructor(options: Partial<HandlerOptions> = {}) {
    this.handler = createSmallHandler(options);
  }

  send(request: Request): Answer {
    return new Answer(this.handler(request));
  }

  /** Starts uploads until there is no room for more. */
  async fill(): Promise<Upload[]> {
    const uploads = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
    for (const { request } of uploads) this.send(request);
    await settle();
    return uploads;
  }

  [Symbol.dispose](): void {
    this.#time[Symbol.dispose]();
  }
}

/** The status of a response; `undefined` until it comes. */
class Answer {
  status: number | undefined;

  constructor(response: Response | Promise<Response>) {
    Promise.resolve(response).then(({ status }) => this.status = status);
  }
}

/** Waits until all that can happen without further data has happened. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i += 1) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Deno.test("a large body without room waits unread, and is answered when there is room", async () => {
  using scene = new Scene();
  const [first] = await scene.fill();
  const upload = new Upload({ host: "h" });
  upload.finish();
  const answer = scene.send(upload.request);
  await settle();
  assertEquals(answer.status, undefined);
  first!.finish();
  await settle();
  assertEquals(answer.status, 200);
});

Deno.test("a large body without room that comes over HTTP/2 is read, and gets 503", async () => {
  using scene = new Scene();
  await scene.fill();
  const upload = new Upload({});
  const answer = scene.send(upload.request);
  await settle();
  assertEquals(answer.status, undefined);
  upload.finish();
  await settle();
  assertEquals(answer.status, 503);
});

Deno.test("of slow bodies, no more are aborted than the next one needs", async () => {
  using scene = new Scene({ bodyTimeoutMs: 60_000 });
  const slow = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
  const answers = slow.map(({ request }) => scene.send(request));
  await settle();
  // At 64 KiB/s, 1 MiB would have come in 16 s, but for its last byte.
  scene.now += 17_500;
  const next = new Upload({ host: "h" });
  next.finish();
  const answer = scene.send(next.request);
  await waitFor(() => answer.status !== undefined);
  assertEquals(answer.status, 200);
  assertEquals(
    answers.map(({ status }) => status),
    [503, ...Array(5).fill(undefined)],
  );
});

Deno.test("bodies that stall are answered with 408, and give their memory to others", async () => {
  using scene = new Scene();
  const late = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
  const answers = late.map(({ request }) => scene.send(request));
  await settle();
  scene.now += 60_000;
  await waitFor(() => answers.every(({ status }) => status !== undefined));
  assertEquals(answers.map(({ status }) => status), Array(6).fill(408));
  const upload = new Upload({ host: "h" });
  upload.finish();
  const answer = scene.send(upload.request);
  await settle();
  assertEquals(answer.status, 200);
});

/** The answers of a thread whose results have 8 MiB, computed by functions. */
class Thread {
  readonly #admit: Admit;

  constructor(isStopping: () => boolean = () => false) {
    this.#admit = createSmallAdmission({ isStopping });
  }

  async answer(
    compute: Compute,
    { size = 2, info = {} }: { size?: number; info?: ServeInfo } = {},
  ): Promise<Response> {
    const init = {
      method: "POST",
      headers: { host: "h" },
      body: " ".repeat(size),
    };
    const request = new Request("http://h", init);
    const answering = Promise.resolve(this.#admit(request, info, compute));
    return toResponse(await within(answering, "an answer"));
  }
}

/** Makes an answer of some mebibytes. */
function makeAnswer(mebibytes: number): object {
  return { text: "a".repeat(mebibytes * MIB) };
}

/** A body of which some bytes come, and then the connection breaks off. */
function breakOff(length: number): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { byobRequest } = controller;
      const bytes = Math.min(byobRequest!.view!.byteLength, length - sent);
      sent += bytes;
      if (bytes > 0) byobRequest!.respond(bytes);
      else controller.error(new TypeError("reset by the client"));
    },
  });
}

/** Whether a promise resolves without further data. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const over = settle().then(() => false);
  return await Promise.race([promise.then(() => true), over]);
}

Deno.test("an answer is computed once, although it waits for room", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  let count = 0;
  const sending = Array.from({ length: 3 }, () =>
    thread.answer(() => {
      count += 1;
      return makeAnswer(5);
    }));
  // One after the other, as each is read.
  for (const response of sending) {
    assertEquals((await (await response).json()).text.length, 5 * MIB);
  }
  assertEquals(count, 3);
});

Deno.test("an answer of a known size is not made before there is room for it", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(5));
  let isMade = false;
  const waiting = thread.answer(async (_body, pause) => {
    await pause(5 * MIB);
    isMade = true;
    return makeAnswer(5);
  });
  assertEquals(await isSettled(waiting), false);
  assertEquals(isMade, false);
  await unread.body?.cancel();
  assertEquals((await (await waiting).json()).text.length, 5 * MIB);
});

Deno.test("an answer gives back its room as it is read, and when it fails or has been sent", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const failing = thread.answer(async (_body, pause) => {
    await pause(8 * MIB);
    throw new Error("failed");
  });
  await failing.catch(() => {});
  const completed = Promise.resolve();
  function send(info: ServeInfo): Promise<Response> {
    const answering = thread.answer(() => makeAnswer(0.4), { info });
    return within(answering, "memory for an answer", { limitMs: 20_000 });
  }
  for (let i = 0; i < 50; i += 1) {
    await send({ completed });
    // Other servers do not tell when a response has been sent.
    await (await send({})).text();
  }
  const response = await thread.answer(() => makeAnswer(7));
  const reader = response.body!.getReader();
  let received = 0;
  while (received < 5 * MIB) {
    received += (await reader.read()).value!.byteLength;
  }
  assertEquals(await isSettled(thread.answer(() => makeAnswer(5))), true);
  await reader.cancel();
});

Deno.test("an answer that cannot be cut into parts, for lack of memory, gives its room back", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const error = new RangeError("Array buffer allocation failed");
  {
    using _ = replace(Uint8Array.prototype as Pick<Uint8Array, "slice">, {
      slice() {
        throw error;
      },
    });
    await assertRejects(() => thread.answer(() => makeAnswer(5)), RangeError);
  }
  const answering = thread.answer(() => makeAnswer(5));
  assertEquals(await isSettled(answering), true);
  await (await answering).body?.cancel();
});

/** Counts the rounds of the event loop until disposal. */
class Rounds implements Disposable {
  count = 0;
  #isOver = false;

  constructor() {
    this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await setImmediate();
      this.count += 1;
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
  }
}

Deno.test("large requests compute one after the other, with pauses in which others are answered", async () => {
  let now = 1_000;
  using _ = replace(performance, { now: () => now });
  const thread = new Thread();
  const turns: number[] = [];
  using rounds = new Rounds();
  const compute: Compute = async (_body, pause) => {
    turns.push(rounds.count);
    now += 10;
    await pause();
    turns.push(rounds.count);
    now += 10;
    return {};
  };
  const answers = Array.from(
    { length: 3 },
    () => thread.answer(compute, { size: 100_000 }),
  );
  await within(Promise.all(answers), "three answers");
  const between = turns.slice(1).map((turn, i) => turn - turns[i]!);
  assert(between.every((count) => count > 122), `${between}`);
});

Deno.test("a body keeps its room until its request is answered, and is not too slow then", async () => {
  using scene = new Scene();
  const uploads = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
  uploads.forEach((upload) => upload.finish());
  const digest = Promise.withResolvers<ArrayBuffer>();
  const digesting = replace(crypto.subtle, { digest: () => digest.promise });
  const answers = uploads.map(({ request }) => scene.send(request));
  await settle();
  digesting[Symbol.dispose]();
  scene.now += 60_000;
  const upload = new Upload({ host: "h" });
  upload.finish();
  const waiting = scene.send(upload.request);
  await settle();
  assertEquals(waiting.status, undefined);
  digest.resolve(new ArrayBuffer(20));
  await settle();
  assertEquals(
    [...answers, waiting].map(({ status }) => status),
    Array(7).fill(200),
  );
});

Deno.test("the time for a body does not pass while it waits for room", async () => {
  using scene = new Scene({ bodyTimeoutMs: 1_000 });
  const first = await scene.fill();
  const uploads = [new Upload({ host: "h" }), new Upload({ host: "h" })];
  const answers = uploads.map(({ request }) => scene.send(request));
  await settle();
  scene.now += 5_000;
  for (let i = 0; i < 3; i += 1) await settle();
  first.forEach((upload) => upload.finish());
  uploads[0]!.finish();
  await settle();
  assertEquals(answers.map(({ status }) => status), [200, undefined]);
  scene.now += 60_000;
  await waitFor(() => answers[1]!.status !== undefined);
  assertEquals(answers[1]!.status, 408);
});

Deno.test("a computation that finds no room fails", async () => {
  let now = 1_000;
  using _ = replace(performance, { now: () => now });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(5));
  const waiting = thread.answer(async (_body, pause) => {
    await pause(5 * MIB);
    return {};
  });
  const failing = assertRejects(() => waiting, LoadError, "busy");
  await settle();
  now += 10_001;
  await failing;
  await unread.body?.cancel();
});

Deno.test("four small requests with results of 8 MiB are computed in four rounds of the event loop", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const isStopping = () => false;
  const isEnding = () => false;
  const shutdown = { isStopping, isEnding };
  const options = { ...DEFAULT_BODY_LIMITS, ...shutdown, threads: 1 };
  const handler = createHandler({ admit: createAdmission(options) });
  const input = "[".repeat(2_000) + "]".repeat(2_000);
  const body = JSON.stringify({ action: "format", input });
  using rounds = new Rounds();
  const answers = Array.from({ length: 4 }, async () => {
    const init = { method: "POST", headers: { host: "h" }, body };
    const response = await handler(new Request("http://h/api/json", init));
    const ready = rounds.count;
    await response.body!.cancel();
    return ready;
  });
  const ready = await within(Promise.all(answers), "four answers");
  assertEquals(new Set(ready).size, 4, `${ready}`);
});

Deno.test("the memory of a body is free when its answer is made, and when that fails", async () => {
  const thread = new Thread();
  for (const size of [10_000, 100_000]) {
    const bodies: Bytes[] = [];
    await thread.answer((body) => {
      bodies.push(body);
      return {};
    }, { size });
    const failing = thread.answer((body) => {
      bodies.push(body);
      throw new Error("failed");
    }, { size });
    await assertRejects(() => failing, Error, "failed");
    assertEquals(bodies.map(({ byteLength }) => byteLength), [0, 0]);
  }
});

Deno.test("the memory of a body is free while its answer waits for room", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(7));
  let bytes: Bytes | undefined;
  const waiting = thread.answer((body) => {
    bytes = body;
    return makeAnswer(2);
  }, { size: 10_000 });
  assertEquals(await isSettled(waiting), false);
  assertEquals(bytes?.byteLength, 0);
  await unread.body?.cancel();
  await (await waiting).body?.cancel();
});

Deno.test("the memory of bytes above 64 KiB is free when they are sent", async () => {
  const thread = new Thread();
  for (const size of [100_000, 500_000]) {
    const bytes = new Uint8Array(size).fill(0x20);
    const response = await thread.answer(() => bytes);
    assertEquals(bytes.byteLength, 0);
    assertEquals(await response.text(), " ".repeat(size));
  }
});

Deno.test("bodies that break off leave no memory to the garbage collector", async () => {
  const handler = createSmallHandler();
  for (const headers of [{ "content-length": "900000" }, {}]) {
    const before = Deno.memoryUsage().external;
    for (let i = 0; i < 30; i += 1) {
      const body = breakOff(300_000);
      const init = { method: "POST", headers: { host: "h", ...headers }, body };
      const response = await handler(new Request("http://h/api/hash", init));
      assertEquals(response.status, 400);
    }
    const growth = Deno.memoryUsage().external - before;
    // The last view of each body is lost.
    assert(growth < 5_000_000, `${growth} bytes`);
  }
});

Deno.test("an answer may be the body itself", async () => {
  const thread = new Thread();
  for (const size of [100, 100_000, 500_000]) {
    for (
      const echo of [(body: Bytes) => body, (body: Bytes) => new Response(body)]
    ) {
      const response = await thread.answer(echo, { size });
      assertEquals(await response.text(), " ".repeat(size));
    }
  }
});

Deno.test("a body that the stop cuts off is answered with 503, one that the client breaks off with 400", async () => {
  for (const isStopping of [true, false]) {
    const handler = createSmallHandler({ isStopping: () => isStopping });
    for (const headers of [{}, { "content-length": "100" }]) {
      const body = new ReadableStream({
        pull: (controller) => controller.error(new Error("cut off")),
      });
      const init = { method: "POST", body, headers };
      const request = new Request("http://h/api/hash", init);
      const completed = Promise.resolve();
      const response = await handler(request, { completed });
      assertEquals(response.status, isStopping ? 503 : 400);
      assertEquals(response.headers.has("retry-after"), isStopping);
      const { error } = await response.json();
      assertEquals(
        error.startsWith("the service is shutting down"),
        isStopping,
      );
    }
  }
});

Deno.test("a body of unknown length takes no room until 64 KiB have come", async () => {
  using scene = new Scene();
  for (let i = 0; i < 6; i += 1) {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    });
    const init = { method: "POST", headers: { host: "h" }, body };
    scene.send(new Request("http://h/api/hash", init));
  }
  await settle();
  const upload = new Upload({ host: "h" });
  upload.finish();
  const answer = scene.send(upload.request);
  await settle();
  assertEquals(answer.status, 200);
});

Deno.test("a small body of unknown length needs no room", async () => {
  using scene = new Scene();
  await scene.fill();
  const body = ReadableStream.from([HASH]).pipeThrough(new TextEncoderStream());
  const init = { method: "POST", headers: { host: "h" }, body };
  const answer = scene.send(new Request("http://h/api/hash", init));
  await settle();
  assertEquals(answer.status, 200);
});

Deno.test("a body that is aborted after its last chunk is not computed", async () => {
  const clock = install({
    now: 1_000,
    toFake: ["setInterval", "clearInterval", "performance"],
  });
  try {
    const chunk = new TextEncoder().encode(HASH.padEnd(10_240));
    let count = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        count += 1;
        controller.enqueue(count === 1 ? chunk : chunk.slice().fill(32));
        if (count < 16) return;
        controller.close();
        // After 16 chunks, the reader waits for a round of the event loop. The time-out
        // comes in this round.
        setImmediateCallback(() => clock.tick(60_000));
      },
    });
    const request = new Request("http://h/api/hash", {
      method: "POST",
      headers: { host: "h", "content-length": `${16 * 10_240}` },
      body,
    });
    const completed = Promise.resolve();
    const response = await createSmallHandler()(request, { completed });
    assertEquals(response.status, 408);
  } finally {
    clock.uninstall();
  }
});

Deno.test("a body must be as long as it was announced, and at most maxBodyBytes", async () => {
  const handler = createSmallHandler({ maxBodyBytes: MIB });
  const rows = [
    [1_000, 1_001, 400],
    [1_000, 999, 400],
    [1_000, 3_000_000, 413],
    [100_000, 100_001, 400],
    [100_000, 3_000_000, 400],
    [1_000, 1_000, 200],
    [100_000, 100_000, 200],
  ] as const;
  for (const [announced, length, status] of rows) {
    // A program may replace the body of a request that `Deno.serve` has received.
    const request = new Request("http://h/api/hash", {
      method: "POST",
      headers: { host: "h", "content-length": `${announced}` },
      body: HASH.padEnd(length),
    });
    const response = await handler(request, { completed: Promise.resolve() });
    const text = await response.text();
    assertEquals(response.status, status, `${announced}, ${length}: ${text}`);
  }
});
