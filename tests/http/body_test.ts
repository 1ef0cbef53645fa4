import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createBodyReader } from "../../lib/http/body.ts";
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

/** A reader of bodies, and the memory that it counts in. */
function createReader(
  { maxBodyBytes = 1_048_576, maxHeldBytes = 0 } = {},
): { memory: Memory; read: (request: Request) => Promise<number> } {
  const memory = new Memory(maxHeldBytes);
  const limits = { maxBodyBytes, bodyTimeoutMs: 60_000 };
  const readBody = createBodyReader(limits, { memory, turns: new Turns() });
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

Deno.test("bodies of middle size are read in pieces where nothing is left to claim", async () => {
  const { memory, read } = createReader({ maxHeldBytes: 60_000 });
  assertEquals(claimRest(memory), MAX_CLAIMED_BYTES);
  // Its buffer of 32 KiB grows to the length and a byte.
  assertEquals(await read(createRequest("x".repeat(59_999), 59_999)), 59_999);
  const error = await read(createRequest("x".repeat(60_000), 60_000))
    .catch((error) => error);
  assertEquals(error, TOO_BUSY);
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

Deno.test("a POST body must be a JSON object in UTF-8", async (t) => {
  const object = "the body must be a JSON object, got ";
  const rows = [
    ["nothing", "", `${object}nothing`],
    ["null", "null", `${object}null`],
    ["a number", "1.50", `${object}1.5`],
    ["a string", '"encode"', `${object}"encode"`],
    ["an array", "[1]", `${object}an array`],
    [
      "white space",
      "  \n",
      "the body must be JSON: expected a JSON value, got the end of the text at line 2, column 1",
    ],
    [
      "text",
      "action=encode",
      'the body must be JSON: expected a JSON value, got "a" at line 1, column 1',
    ],
    [
      "JSON cut short",
      '{"action":\n"encode"',
      'the body must be JSON: expected "," or "}", got the end of the text at line 2, column 9',
    ],
    [
      "a BOM",
      `\ufeff${ENCODE_A}`,
      "the body must be JSON: expected a JSON value, got U+FEFF at line 1, column 1",
    ],
    [
      "two values",
      `${ENCODE_A}${ENCODE_A}`,
      'the body must be JSON: expected the end of the text, got "{" at line 1, column 32',
    ],
    [
      "100,000 open arrays",
      "[".repeat(100_000),
      "the body must be JSON: expected a JSON value, got the end of the text at line 1, column 100001",
    ],
  ] as const;
  for (const [name, body, error] of rows) {
    await t.step(name, async () => assertRefused(await send(body), 400, error));
  }
  await t.step("no body at all", async () => {
    assertRefused(
      await call(PATH, { method: "POST" }),
      400,
      `${object}nothing`,
    );
  });
});

Deno.test("a POST body that is not UTF-8 is refused", async (t) => {
  const rows = [
    ["0xff", [0xff]],
    ["a character cut short", [0x22, 0xe2, 0x82, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0x80, 0x22]],
    ["an encoded surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ] as const;
  for (const [name, bytes] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await send(Uint8Array.from(bytes)),
        400,
        "the body must be UTF-8",
      );
    });
  }
});

Deno.test("a replacement character that was sent is text like any other", async () => {
  const encoded = await send('{"action":"encode","input":"\ufffd€"}');
  assertEquals(encoded.body, { result: "77+94oKs" });
  const decoded = await send('{"action":"decode","input":"77+94oKs"}');
  assertEquals(decoded.body, { result: "\ufffd€" });
});

Deno.test("unknown fields are ignored, even those that objects inherit", async () => {
  const { body } = await send(
    '{"__proto__":{"action":"decode"},"constructor":1,"toString":null,"x":[],"action":"encode","input":"a"}',
  );
  assertEquals(body, { result: "YQ==" });
  assertRefused(
    await send('{"__proto__":{"action":"encode","input":"a"}}'),
    400,
    '"action" must be "encode" or "decode", got nothing',
  );
});

Deno.test("values in messages are shortened to 40 characters", async (t) => {
  const rows = [
    ["40 characters", "x".repeat(40), `"${"x".repeat(40)}"`],
    ["41 characters", "x".repeat(41), `"${"x".repeat(39)}…"`],
    ["40 emoji", "😀".repeat(40), `"${"😀".repeat(40)}"`],
    ["a million", "😀".repeat(200_000), `"${"😀".repeat(39)}…"`],
    ["control characters", "\0\n", '"\\u0000\\n"'],
  ] as const;
  for (const [name, action, got] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await send(JSON.stringify({ action })),
        400,
        `"action" must be "encode" or "decode", got ${got}`,
      );
    });
  }
});
