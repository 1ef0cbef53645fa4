/** Large bodies of several clients, in process, while the time stands still. */

import { setImmediate as setImmediateCallback } from "node:timers";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import type { FetchHandler, HandlerOptions } from "../../routes/mod.ts";
import type { Bytes } from "../../lib/values/buffer.ts";
import { replace } from "../_replace.ts";
import { createSmallHandler } from "../_thread.ts";
import { waitFor } from "../_within.ts";
import { settle, Thread } from "./_small_thread.ts";

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
