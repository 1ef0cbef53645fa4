import { assertEquals } from "@std/assert";
import { assertRefused, call, createTestHandler } from "../_client.ts";

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

Deno.test("a POST body that stalls is answered with 408", async (t) => {
  const handler = createTestHandler({ bodyTimeoutMs: 20 });
  for (const chunks of [[], ['{"action":']]) {
    await t.step(`after ${chunks.length} pieces`, async () => {
      assertRefused(
        await send(streamOf(chunks, { stalls: true }), {}, handler),
        408,
        "the body must arrive within 20 milliseconds",
      );
    });
  }
});

Deno.test("bodies are read at once only while they claim at most 16 MiB in all", async () => {
  const handler = createTestHandler({ bodyTimeoutMs: 200 });
  const headers = { "content-length": String(128 * 1024) };
  // Read in pieces it is found too large at once, else only when it has ended.
  const askWithLie = () =>
    send(
      streamOf([" ".repeat(1_048_577)], { stalls: true }),
      { headers },
      handler,
    );
  // What has been answered claims nothing any more.
  for (let i = 0; i < 200; i += 1) {
    assertEquals((await send(ENCODE_A, { headers }, handler)).status, 200);
  }
  assertEquals((await askWithLie()).status, 408);
  const stalled = Array.from(
    { length: 127 },
    () => send(streamOf([], { stalls: true }), { headers }, handler),
  );
  assertEquals((await askWithLie()).status, 413);
  for (const { status } of await Promise.all(stalled)) {
    assertEquals(status, 408);
  }
});

Deno.test("stalled bodies that hold too much in all make room for others", async () => {
  // 64 of the largest bodies, of 64 bytes each, may be held: 4,096 bytes.
  const handler = createTestHandler({ maxBodyBytes: 64, bodyTimeoutMs: 200 });
  const stalled = Array.from({ length: 66 }, () => {
    const body = streamOf([ENCODE_A.padEnd(64)], { stalls: true });
    return send(body, {}, handler);
  });
  const honest = await send(ENCODE_A, {}, handler);
  assertEquals(honest.body, { result: "YQ==" });
  const answers = await Promise.all(stalled);
  const [first, second, third, ...others] = answers;
  const tooMany = "too many large bodies are arriving, please try again";
  for (const answer of [first!, second!, third!]) {
    assertRefused(answer, 503, tooMany);
    assertEquals(answer.headers.get("retry-after"), "1");
  }
  for (const answer of others) assertEquals(answer.status, 408);
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
