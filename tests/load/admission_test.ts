/** Slots, queues and time limits of large requests, in process. */

import { setImmediate } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import type { FetchHandler } from "../../routes/mod.ts";
import { replace } from "../_replace.ts";
import { createServiceHandler } from "../_thread.ts";
import { stopTime } from "./_clock.ts";

const MIB = 1024 * 1024;

/** The number of bodies that are received at a time with the largest `maxBodyBytes`. */
const BODY_SLOTS = 8;

const ENCODE = JSON.stringify({ action: "encode", input: "a" });
const SECOND = new TextEncoder().encode(ENCODE.padEnd(64 * 1024));

/** Lets the service do all that it can without more data or time. */
async function settle(): Promise<void> {
  for (let i = 0; i < 500; i += 1) await setImmediate();
}

/** Creates the handler of a thread with few body slots. */
function createHandler(shutdown?: AbortController): FetchHandler {
  return createServiceHandler({ maxBodyBytes: 16 * MIB }, shutdown);
}

interface UploadOptions {
  /** Whether the request has no `Host` header, as over HTTP/2. */
  readonly isHttp2?: boolean;
  readonly signal?: AbortSignal;
}

/** A large request whose body arrives in chunks. */
class Upload {
  /** Whether the service has started to read the body. */
  isRead = false;
  /** The status of the response; `undefined` until it arrives. */
  status: number | undefined;
  readonly response: Promise<Response>;
  #controller: ReadableStreamDefaultController | undefined;
  readonly #sent: Uint8Array[] = [];
  #hasSent = false;
  #isFinished = false;

  constructor(
    handler: FetchHandler,
    { isHttp2 = false, signal }: UploadOptions = {},
  ) {
    const body = new ReadableStream({
      pull: (controller) => {
        this.isRead = true;
        this.#controller = controller;
        this.#flush();
      },
    }, { highWaterMark: 0 });
    const request = new Request("http://h/api/base64", {
      method: "POST",
      headers: isHttp2 ? {} : { host: "h" },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    const completed = Promise.resolve();
    this.response = Promise.resolve(handler(request, { completed }));
    this.response.then(({ status }) => this.status = status);
  }

  /** Sends 64 KiB of the body: first the JSON object, then only spaces. */
  send(): void {
    const bytes = SECOND.slice();
    this.#sent.push(this.#hasSent ? bytes.fill(0x20) : bytes);
    this.#hasSent = true;
    this.#flush();
  }

  /** Sends the end of the body, and the JSON object if nothing was sent before. */
  finish(): void {
    if (!this.#hasSent) this.send();
    this.#isFinished = true;
    this.#flush();
  }

  #flush(): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    for (const bytes of this.#sent.splice(0)) controller.enqueue(bytes);
    if (!this.#isFinished) return;
    this.#controller = undefined;
    controller.close();
  }
}

/** Starts uploads until no body slot is free. */
async function fillSlots(handler: FetchHandler): Promise<Upload[]> {
  const uploads = Array.from(
    { length: BODY_SLOTS },
    () => new Upload(handler),
  );
  for (const upload of uploads) upload.send();
  await settle();
  return uploads;
}

function listStatuses(uploads: readonly Upload[]) {
  return uploads.map(({ status }) => status);
}

Deno.test("large requests without a slot wait unread, first in, first out", async () => {
  using _clock = stopTime();
  const handler = createHandler();
  const uploads = await fillSlots(handler);
  const waiting = [new Upload(handler), new Upload(handler)];
  await settle();
  assertEquals(waiting.map(({ isRead }) => isRead), [false, false]);
  waiting[1]!.finish();
  uploads[0]!.finish();
  await settle();
  assertEquals(uploads[0]!.status, 200);
  // The first one has the slot now, although the second one is complete.
  assertEquals(waiting.map(({ isRead }) => isRead), [true, false]);
  waiting[0]!.send();
  waiting[0]!.finish();
  await settle();
  assertEquals(listStatuses(waiting), [200, 200]);
});

Deno.test("uploads in progress don't delay requests that need no slot or find a free one", async () => {
  using _clock = stopTime();
  const handler = createHandler();
  const uploads = Array.from({ length: 40 }, () => new Upload(handler));
  await settle();
  for (const length of [10, 16_384, 16_385, 65_536]) {
    const init = {
      method: "POST",
      headers: { host: "h", "content-length": `${Math.max(length, 31)}` },
      body: ENCODE.padEnd(length),
    };
    assertEquals(ENCODE.length, 31);
    const response = await handler(new Request("http://h/api/base64", init));
    assertEquals((await response.json()).result, "YQ==");
  }
  uploads[0]!.send();
  uploads[0]!.finish();
  await settle();
  assertEquals(uploads[0]!.status, 200);
});

Deno.test("over HTTP/2, a large request without a slot is read and gets 503, and then stalled uploads lose their slots", async () => {
  using clock = stopTime();
  const handler = createHandler();
  const stalled = await fillSlots(handler);
  const rejected = new Upload(handler, { isHttp2: true });
  rejected.send();
  await settle();
  assertEquals(rejected.status, undefined);
  rejected.finish();
  await settle();
  assertEquals(rejected.status, 503);
  await clock.tickAsync(2_500);
  assertEquals(listStatuses(stalled), Array(BODY_SLOTS).fill(503));
  const upload = new Upload(handler, { isHttp2: true });
  upload.finish();
  await settle();
  assertEquals(upload.status, 200);
});

Deno.test("while a request waits, an upload that stalls loses its slot after a second, and no other does", async () => {
  using clock = stopTime();
  const handler = createHandler();
  const uploads = Array.from(
    { length: BODY_SLOTS },
    () => new Upload(handler),
  );
  const [stalled, ...active] = uploads;
  await settle();
  // A fast start doesn't permit a long stall.
  for (let i = 0; i < 10; i += 1) stalled!.send();
  const waiting = new Upload(handler);
  waiting.finish();
  // The first bytes of the others arrive late, and then 64 KiB every 0.9 seconds.
  await clock.tickAsync(950);
  assertEquals(listStatuses(uploads), Array(BODY_SLOTS).fill(undefined));
  for (let i = 0; i < 15; i += 1) {
    for (const upload of active) upload.send();
    await clock.tickAsync(900);
  }
  await settle();
  assertEquals([stalled!.status, waiting.status], [503, 200]);
  assertEquals((await stalled!.response).headers.get("retry-after"), "1");
  assertEquals(listStatuses(active), Array(BODY_SLOTS - 1).fill(undefined));
  for (const upload of active) upload.finish();
  await settle();
  assertEquals(listStatuses(active), Array(BODY_SLOTS - 1).fill(200));
});

Deno.test("while no request waits, an upload can stall until bodyTimeoutMs", async () => {
  using clock = stopTime();
  const handler = createHandler();
  const uploads = await fillSlots(handler);
  await clock.tickAsync(9_900);
  assertEquals(listStatuses(uploads), Array(BODY_SLOTS).fill(undefined));
  await clock.tickAsync(1_000);
  assertEquals(listStatuses(uploads), Array(BODY_SLOTS).fill(408));
  const next = new Upload(handler);
  next.finish();
  await settle();
  assertEquals(next.status, 200);
  await clock.tickAsync(1_000);
  assertEquals(clock.countTimers(), 0, "no timer is left");
});

Deno.test("a request that has waited for 10 s is rejected with 503, and the time for its body starts afterward", async () => {
  using clock = stopTime();
  const handler = createHandler();
  const uploads = await fillSlots(handler);
  const digests = Promise.withResolvers<ArrayBuffer>();
  // A long computation keeps the slots, not an upload that stalls.
  using _digest = replace(crypto.subtle, { digest: () => digests.promise });
  for (const upload of uploads) upload.finish();
  await settle();
  const hashes = Array.from({ length: BODY_SLOTS }, () => {
    const body = JSON.stringify({ algorithm: "sha1", input: "a" });
    const init = {
      method: "POST",
      headers: { host: "h" },
      body: body.padEnd(100_000),
    };
    return handler(new Request("http://h/api/hash", init));
  });
  await settle();
  const waiting = [new Upload(handler)];
  await clock.tickAsync(5_000);
  waiting.push(new Upload(handler));
  await clock.tickAsync(5_000);
  assertEquals(listStatuses(waiting), [503, undefined]);
  const response = await waiting[0]!.response;
  assertEquals(response.headers.get("retry-after"), "1");
  digests.resolve(new ArrayBuffer(20));
  await settle();
  for (const hash of hashes) assertEquals((await hash).status, 200);
  await clock.tickAsync(9_000);
  assertEquals(waiting[1]!.status, undefined);
  waiting[1]!.send();
  waiting[1]!.finish();
  await settle();
  assertEquals(waiting[1]!.status, 200);
});

Deno.test("a client that disconnects while it waits doesn't delay the next one", async () => {
  using _clock = stopTime();
  const handler = createHandler();
  const uploads = await fillSlots(handler);
  const client = new AbortController();
  const gone = new Upload(handler, { signal: client.signal });
  const next = new Upload(handler);
  next.finish();
  await settle();
  client.abort();
  const late = new Upload(handler, { signal: client.signal });
  uploads[0]!.finish();
  await settle();
  assertEquals(next.status, 200);
  assert(!gone.isRead && !late.isRead);
  assertEquals([gone.status, late.status], [499, 499]);
});

Deno.test("on shutdown, waiting requests get 503, and requests in progress are completed", async () => {
  using _clock = stopTime();
  const shutdown = new AbortController();
  const handler = createHandler(shutdown);
  const uploads = await fillSlots(handler);
  const waiting = new Upload(handler);
  await settle();
  shutdown.abort();
  const late = new Upload(handler);
  await settle();
  for (const upload of [waiting, late]) {
    const response = await upload.response;
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("retry-after"), "1");
    const { error } = await response.json();
    assertEquals(error, "the service is shutting down, please try again");
  }
  for (const upload of uploads) upload.finish();
  await settle();
  assertEquals(listStatuses(uploads), Array(BODY_SLOTS).fill(200));
});

Deno.test("a body that the shutdown interrupts gets 503; one that the client interrupts gets 400", async () => {
  using _clock = stopTime();
  for (const isShuttingDown of [true, false]) {
    const shutdown = new AbortController();
    const handler = createServiceHandler({}, shutdown);
    for (const headers of [{}, { "content-length": "100" }]) {
      const body = new ReadableStream({
        pull(controller) {
          if (isShuttingDown) shutdown.abort();
          controller.error(new Error("interrupted"));
        },
      });
      const init = { method: "POST", body, headers };
      const request = new Request("http://h/api/hash", init);
      const response = await handler(request);
      assertEquals(response.status, isShuttingDown ? 503 : 400);
      assertEquals(response.headers.has("retry-after"), isShuttingDown);
    }
  }
});

Deno.test("at most 32 large responses are sent at a time, including responses to small requests", async () => {
  using _clock = stopTime();
  const handler = createServiceHandler();
  const large = { action: "encode", input: "a".repeat(300_000) };
  const nested = "[".repeat(350) + "]".repeat(350);
  const deep = { action: "format", input: nested, indent: 4 };
  const sent = Array.from({ length: 34 }, (_, i) => {
    const { promise: completed, resolve } = Promise.withResolvers<void>();
    const [path, fields] = i % 2 === 0 ? ["base64", large] : ["json", deep];
    const body = JSON.stringify(fields);
    const headers = { host: "h", "content-length": `${body.length}` };
    const init = { method: "POST", headers, body };
    const request = new Request(`http://h/api/${path}`, init);
    const response = Promise.resolve(handler(request, { completed }));
    return { response, resolve };
  });
  let count = 0;
  for (const { response } of sent) response.then(() => count += 1);
  for (let i = 0; i < 20; i += 1) await settle();
  assertEquals(count, 32);
  const results = new Set<string>();
  for (const { response, resolve } of sent) {
    const { result } = await (await response).json();
    results.add(result);
    resolve();
  }
  assertEquals(
    results,
    new Set([
      btoa(large.input),
      JSON.stringify(JSON.parse(nested), null, 4),
    ]),
  );
});

Deno.test("a body must be as long as announced, and at most maxBodyBytes", async () => {
  const handler = createServiceHandler();
  const rows = [
    [1_000, 1_001, 400],
    [1_000, 999, 400],
    [1_000, 1_000, 200],
    [100_000, 100_001, 400],
    [100_000, 99_999, 400],
    [100_000, 3_000_000, 413],
    [100_000, 100_000, 200],
  ] as const;
  for (const [announced, length, status] of rows) {
    // A program can replace the body of a request that `Deno.serve` has received.
    const request = new Request("http://h/api/base64", {
      method: "POST",
      headers: { host: "h", "content-length": `${announced}` },
      body: ENCODE.padEnd(length),
    });
    const response = await handler(request, { completed: Promise.resolve() });
    const text = await response.text();
    assertEquals(response.status, status, `${announced}, ${length}: ${text}`);
  }
});
