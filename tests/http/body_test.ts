import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createBodyReader } from "../../lib/http/body.ts";
import { type Deadline, Deadlines } from "../../lib/http/deadlines.ts";
import { HttpError } from "../../lib/http/errors.ts";
import { MAX_CLAIMED_BYTES, Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import {
  type Answer,
  assertRefused,
  call,
  createTestHandler,
} from "../_client.ts";
import { stopClock } from "../_clock.ts";
import { replace } from "../_replace.ts";
import { HeldTurns } from "./_turns.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

function send(
  body: BodyInit,
  init: RequestInit = {},
  handler = createTestHandler(),
) {
  return call(PATH, { method: "POST", body, handler, ...init });
}

/** A body that arrives in the given pieces and then stalls or ends. */
function streamOf(
  chunks: readonly string[],
  { stalls = false } = {},
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(new TextEncoder().encode(chunk));
      }
      if (!stalls) controller.close();
    },
  });
}

Deno.test("a POST body is read whatever its Content-Type", async () => {
  for (
    const type of [
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
      "nonsense",
    ]
  ) {
    const { body } = await send(ENCODE_A, {
      headers: { "content-type": type },
    });
    assertEquals(body, { result: "YQ==" });
  }
  const { body } = await send(new TextEncoder().encode(ENCODE_A));
  assertEquals(body, { result: "YQ==" });
});

Deno.test("a POST body may arrive in pieces", async () => {
  const { body } = await send(streamOf([...ENCODE_A]));
  assertEquals(body, { result: "YQ==" });
  const multibyte = new TextEncoder().encode('{"action":"encode","input":"€"}');
  const pieces = [...multibyte].map((byte) => Uint8Array.of(byte));
  assertEquals((await send(ReadableStream.from(pieces))).body, {
    result: "4oKs",
  });
});

Deno.test("a POST body may be exactly as large as allowed", async (t) => {
  for (const limit of [64, 1_048_576]) {
    const handler = createTestHandler({ maxBodyBytes: limit });
    const largest = ENCODE_A + " ".repeat(limit - ENCODE_A.length);
    const refusal = `the body must be at most ${limit} bytes`;
    await t.step(`${limit} bytes`, async () => {
      assertEquals((await send(largest, {}, handler)).status, 200);
      assertEquals((await send(streamOf([largest]), {}, handler)).status, 200);
      const headers = { "content-length": String(limit) };
      assertEquals((await send(largest, { headers }, handler)).status, 200);
    });
    await t.step(`${limit} bytes and one, with Content-Length`, async () => {
      const headers = { "content-length": String(limit + 1) };
      assertRefused(
        await send(largest + " ", { headers }, handler),
        413,
        refusal,
      );
    });
    await t.step(`${limit} bytes and one, counted`, async () => {
      assertRefused(
        await send(streamOf([largest, " "]), {}, handler),
        413,
        refusal,
      );
    });
  }
});

Deno.test("a POST body above the limit is refused before it is read", async () => {
  const body = streamOf([], { stalls: true });
  const headers = { "content-length": "1048577" };
  assertRefused(
    await send(body, { headers }),
    413,
    "the body must be at most 1048576 bytes",
  );
});

Deno.test("a POST body that lies about its length is counted all the same", async () => {
  const handler = createTestHandler({ maxBodyBytes: 64 });
  const headers = { "content-length": "5" };
  assertEquals(
    (await send(streamOf([ENCODE_A, " ".repeat(64)]), { headers }, handler))
      .status,
    413,
  );
});

Deno.test("a POST body that stalls is answered with 408 in time", async (t) => {
  const rows = [
    ["a small one", { "content-length": "31" }],
    ["one of middle size", { "content-length": "131072" }],
    ["a large one", { "content-length": "131073" }],
    ["one of unknown size", {}],
  ] as const;
  for (const [name, headers] of rows) {
    await t.step(name, async () => {
      using clock = stopClock();
      const handler = createTestHandler({ bodyTimeoutMs: 20 });
      const body = streamOf(['{"action":'], { stalls: true });
      let answer: Answer | undefined;
      send(body, { headers }, handler).then((value) => answer = value);
      await clock.pass(19);
      assertEquals(answer, undefined);
      await clock.pass(1);
      assertRefused(
        answer!,
        408,
        "the body must arrive within 20 milliseconds",
      );
    });
  }
});

Deno.test("a POST body that arrives whole just in time is answered", async () => {
  using clock = stopClock();
  const handler = createTestHandler({ bodyTimeoutMs: 20 });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  let answer: Answer | undefined;
  send(readable, {}, handler).then((value) => answer = value);
  for (const character of ENCODE_A.slice(0, 19)) {
    await writer.write(new TextEncoder().encode(character));
    await clock.pass(1);
  }
  await writer.write(new TextEncoder().encode(ENCODE_A.slice(19)));
  await writer.close();
  await clock.pass(0);
  assertEquals(answer?.body, { result: "YQ==" });
});

Deno.test("a POST body that is counted says itself that its connection closes", async () => {
  using clock = stopClock();
  const handler = createTestHandler({ bodyTimeoutMs: 20 });
  const body = streamOf(["{"], { stalls: true });
  const answer = send(body, {}, handler);
  await clock.pass(20);
  assertEquals((await answer).headers.get("connection"), "close");
});

Deno.test("no deadline outlasts the body that it was set for", async (t) => {
  const rows = [
    ["a small one", ENCODE_A, {}],
    ["one that says its length", ENCODE_A, { "content-length": "31" }],
    ["one that is no JSON", "{", { "content-length": "1" }],
    ["a large one", ENCODE_A + " ".repeat(200_000), {}],
    ["one that breaks off", null, {}],
  ] as const;
  for (const [name, text, headers] of rows) {
    await t.step(name, async () => {
      const { set, clear } = Deadlines.prototype;
      const pending = new Set<Deadline>();
      using _deadlines = replace(Deadlines.prototype, {
        set(onPassed) {
          const deadline = set.call(this, onPassed);
          pending.add(deadline);
          return deadline;
        },
        clear(deadline) {
          pending.delete(deadline);
          clear.call(this, deadline);
        },
      });
      const body = text ?? new ReadableStream({
        pull: (controller) => controller.error(new Error("gone")),
      });
      const { status } = await send(body, { headers }, createTestHandler());
      assertEquals(status, text?.startsWith(ENCODE_A) ? 200 : 400);
      assertEquals(pending.size, 0);
    });
  }
});

/** A reader of bodies, and the memory that it counts in. */
function createReader(
  { maxBodyBytes = 1_048_576, maxHeldBytes = 0, turns = new Turns() } = {},
): { memory: Memory; read: (request: Request) => Promise<number> } {
  const memory = new Memory(maxHeldBytes);
  const limits = { maxBodyBytes, bodyTimeoutMs: 60_000 };
  const readBody = createBodyReader(limits, { memory, turns });
  // What it refuses at once it throws.
  const read = async (request: Request) =>
    await readBody(request, ({ byteLength }) => byteLength);
  return { memory, read };
}

function createRequest(body: BodyInit, contentLength?: number): Request {
  const headers: Record<string, string> = contentLength === undefined
    ? {}
    : { "content-length": String(contentLength) };
  return new Request("http://h/", { method: "POST", body, headers });
}

/** Claims all that is left; how many bytes that is. */
function claimRest(memory: Memory): number {
  let claimed = 0;
  for (let bytes = 131_072; bytes >= 1; bytes /= 2) {
    while (memory.claim(bytes)) claimed += bytes;
  }
  return claimed;
}

Deno.test("bodies of middle size claim what they say until they have come or broken off", async (t) => {
  const rows = [
    ["32 KiB claim nothing", 32_768, 0],
    ["a byte more is claimed", 32_769, 32_769],
    ["so are 128 KiB", 131_072, 131_072],
    ["a byte more is read in pieces", 131_073, 0],
  ] as const;
  for (const [name, length, claimed] of rows) {
    await t.step(name, async () => {
      const { memory, read } = createReader({ maxHeldBytes: Infinity });
      const stream = new TransformStream<Uint8Array>();
      const reading = read(createRequest(stream.readable, length));
      assertEquals(claimRest(memory), MAX_CLAIMED_BYTES - claimed);
      await stream.writable.close();
      assertEquals(await reading, 0);
      assertEquals(claimRest(memory), claimed);
    });
  }
  await t.step("and one that breaks off claims nothing any more", async () => {
    const { memory, read } = createReader();
    const stream = new TransformStream<Uint8Array>();
    const reading = read(createRequest(stream.readable, 100_000));
    claimRest(memory);
    await stream.writable.abort();
    const error = await reading.catch((error) => error);
    assertEquals(
      error,
      new HttpError(400, "the body broke off before its end"),
    );
    assertEquals(claimRest(memory), 100_000);
  });
});

const TOO_BUSY = new HttpError(
  503,
  "too many large bodies are arriving, please try again",
  { "retry-after": "1" },
);

Deno.test("a body is read whole whatever its pieces are, and holds nothing afterwards", async () => {
  const pieces = fc.array(
    fc.oneof(
      fc.nat({ max: 3 }),
      fc.constantFrom(32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 262_144),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (lengths, isLengthKnown) => {
      const total = lengths.reduce((sum, length) => sum + length, 0);
      const maxHeldBytes = 4 * 1_048_576;
      const memory = new Memory(maxHeldBytes);
      const limits = { maxBodyBytes: 1_048_576, bodyTimeoutMs: 60_000 };
      const readBody = createBodyReader(limits, { memory, turns: new Turns() });
      claimRest(memory);
      const bytes = Uint8Array.from({ length: total }, (_, i) => i % 251);
      let start = 0;
      const stream = ReadableStream.from(
        lengths.map((length) => bytes.slice(start, start += length)),
      );
      const request = createRequest(stream, isLengthKnown ? total : undefined);
      const result = await (async () =>
        await readBody(request, (body) => body.slice()))()
        .catch((error) => error);
      if (total > 1_048_576) {
        const message = "the body must be at most 1048576 bytes";
        return assertEquals(result, new HttpError(413, message));
      }
      assertEquals(result.byteLength, total);
      assert(result.every((byte: number, i: number) => byte === i % 251));
      const newcomer = { startTime: 0, movedBytes: Infinity, giveUp() {} };
      assert(memory.hold(newcomer, maxHeldBytes), "it still holds something");
    }),
    { numRuns: 60 },
  );
});

Deno.test("a large body that stalls makes room for one that arrives, and not sooner than it must", async () => {
  using clock = stopClock();
  const { read } = createReader({ maxHeldBytes: 200_000 });
  const stalled = read(
    createRequest(streamOf(["x".repeat(32_769)], { stalls: true }), 150_000),
  ).catch((error) => error);
  const honest = "x".repeat(150_000);
  await clock.pass(1_500);
  assertEquals(
    await read(createRequest(streamOf([honest]), 150_000))
      .catch((error) => error),
    TOO_BUSY,
  );
  // 32 KiB in half a second after the first are 64 KiB a second.
  await clock.pass(1);
  assertEquals(
    await read(createRequest(streamOf([honest]), 150_000)),
    150_000,
  );
  assertEquals(await stalled, TOO_BUSY);
});

Deno.test("a body of 32 KiB is read although others hold all there is", async () => {
  const { memory, read } = createReader({ maxHeldBytes: 100 });
  claimRest(memory);
  memory.hold({ startTime: 0, movedBytes: Infinity, giveUp() {} }, 100);
  const small = "x".repeat(32_768);
  assertEquals(await read(createRequest(small, 32_768)), 32_768);
  assertEquals(await read(createRequest(streamOf([small]))), 32_768);
  assertEquals(
    await read(createRequest(streamOf([small, "x"]))).catch((error) => error),
    TOO_BUSY,
  );
});

Deno.test("only a body above 128 KiB waits for a turn, and is not given up meanwhile", async () => {
  using clock = stopClock();
  const turns = new HeldTurns();
  turns.isHeld = true;
  const { memory, read } = createReader({ maxHeldBytes: 600_000, turns });
  assertEquals(await read(createRequest("a".repeat(131_072))), 131_072);
  const answer = read(createRequest("a".repeat(131_073)));
  await clock.pass(3_600_000);
  const newcomer = { startTime: 0, movedBytes: Infinity, giveUp() {} };
  assert(!memory.hold(newcomer, 600_000), "it is given up");
  turns.goOn();
  assertEquals(await answer, 131_073);
  assert(memory.hold(newcomer, 600_000));
});

Deno.test("a body that says how large it is is refused unread where there is no room for it", async (t) => {
  const rows = [
    ["no room", 300_001, false],
    ["room at the start", 300_000, true],
  ] as const;
  for (const [name, bytes, isRead] of rows) {
    await t.step(name, async () => {
      const { memory, read } = createReader({ maxHeldBytes: 300_000 });
      claimRest(memory);
      const request = createRequest("a".repeat(bytes), bytes);
      const error = await read(request).catch((error) => error);
      // It takes a byte more than it has, to show its end.
      assertEquals(error, TOO_BUSY);
      assertEquals(request.bodyUsed, isRead);
    });
  }
});

Deno.test("a refused body is cancelled, so that the rest of it can drain", async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: () => void (isCancelled = true),
  });
  const { read } = createReader({ maxHeldBytes: Infinity });
  const error = await read(createRequest(body)).catch((error) => error);
  assertEquals(error.status, 413);
  assert(isCancelled);
});

Deno.test("a POST body that breaks off is answered with 400", async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new Error("connection lost"));
    },
  });
  assertRefused(await send(body), 400, "the body broke off before its end");
});
