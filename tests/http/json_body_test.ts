/** Reading of POST bodies: formats, limits and errors. */

import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { assertRefused, call } from "../_client.ts";
import { createSmallHandler } from "../_thread.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

function send(
  body: BodyInit | null,
  init: Parameters<typeof call>[1] = {},
) {
  return call(PATH, { method: "POST", body, ...init });
}

/** A body in chunks, without `Content-Length`. */
function inChunks(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
}

/** A body whose start arrives, and nothing more. */
function createStalled(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
}

// The first test, since a timer of another one could end during it.
Deno.test({
  name: "no timer runs on when bodies have been received",
  sanitizeOps: true,
  async fn() {
    for (let i = 0; i < 3; i += 1) await send(inChunks(ENCODE_A));
  },
});

Deno.test("a POST body may come with any Content-Type or none", async () => {
  for (const type of ["application/json", "text/plain", "nonsense", ""]) {
    const headers = { "content-type": type };
    assertEquals((await send(ENCODE_A, { headers })).body, { result: "YQ==" });
  }
  const { body } = await send(new TextEncoder().encode(ENCODE_A));
  assertEquals(body, { result: "YQ==" });
});

Deno.test("a POST body may arrive in chunks that cut characters", async () => {
  const bytes = new TextEncoder().encode('{"action":"encode","input":"€"}');
  const chunks = [...bytes].map((byte) => Uint8Array.of(byte));
  const { body } = await send(ReadableStream.from(chunks));
  assertEquals(body, { result: "4oKs" });
});

Deno.test("a compressed POST body is rejected with 415", async () => {
  for (const coding of ["gzip", "BR", "identity, gzip", "identityy"]) {
    const headers = { "content-encoding": coding };
    const answer = await send(ENCODE_A, { headers });
    assertRefused(
      answer,
      415,
      `the Content-Encoding header must be "identity" or absent, got "${coding}"`,
    );
    assertEquals(answer.headers.get("accept-encoding"), "identity");
  }
  for (const coding of ["identity", "Identity", "identity, identity", ""]) {
    const headers = { "content-encoding": coding };
    assertEquals((await send(ENCODE_A, { headers })).status, 200);
  }
});

Deno.test("a POST body of MAX_BODY_BYTES is accepted, one of more rejected with 413", async () => {
  const handler = createHandler({ maxBodyBytes: 64 });
  const largest = ENCODE_A.padEnd(64);
  const error = "the body must be at most 64 bytes";
  const exact = { "content-length": "64" };
  const longer = { "content-length": "65" };
  for (const headers of [{}, exact]) {
    const init = { handler, headers };
    assertEquals((await send(largest, init)).status, 200);
    assertEquals((await send(inChunks(largest), init)).status, 200);
    const body = inChunks(largest, " ");
    assertRefused(await send(body, init), 413, error);
  }
  // A length that is too large is rejected before the body arrives.
  const answer = await send(createStalled(), { handler, headers: longer });
  assertRefused(answer, 413, error);
});

Deno.test("a body is counted while it is read, whatever its Content-Length", async () => {
  let pulledBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulledBytes += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const headers = { "content-length": "5" };
  assertRefused(
    await send(body, { headers }),
    413,
    "the body must be at most 1048576 bytes",
  );
  assert(pulledBytes <= 1_300_000, `${pulledBytes} bytes were read`);
});

// Servers join the values of a repeated header.
Deno.test("a Content-Length that is no number is ignored", async () => {
  for (const handler of [createHandler(), createSmallHandler()]) {
    for (const length of ["30, 30", "", "1e1", "-1", "0x5", "1.0"]) {
      const headers = { "content-length": length };
      const init = { method: "POST", headers, body: ENCODE_A };
      const request = new Request(`http://localhost${PATH}`, init);
      const completed = Promise.resolve();
      const { status } = await handler(request, { completed });
      assertEquals([length, status], [length, 200]);
    }
  }
});

// As in workerd.
Deno.test("a late body gets 408 although its cancelled read fails", async () => {
  const handler = createHandler({ bodyTimeoutMs: 20 });
  const reading = Promise.withResolvers<never>();
  const reader = {
    read: () => reading.promise,
    cancel() {
      reading.reject(new TypeError("the reader was cancelled"));
      return Promise.resolve();
    },
  };
  const init = { method: "POST", body: "{}" };
  const request = new Request(`http://localhost${PATH}`, init);
  Object.defineProperty(request, "body", {
    value: { getReader: () => reader },
  });
  assertEquals((await handler(request)).status, 408);
});

Deno.test("a body in very many chunks lets other code run, and is late in time", async () => {
  const handler = createHandler({ bodyTimeoutMs: 500 });
  // Without a pause, a body of chunks that are there already would be read in one go.
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(Uint8Array.of(0x20)),
  });
  let ticks = 0;
  const timer = setInterval(() => ticks += 1, 5);
  const { status } = await send(body, { handler });
  clearInterval(timer);
  assertEquals(status, 408);
  assert(ticks > 2, `${ticks} ticks`);
});

Deno.test("a chunked body is counted although it has a Content-Length", async () => {
  const request = new Request(`http://localhost${PATH}`, {
    method: "POST",
    headers: { "content-length": "5", "transfer-encoding": "chunked" },
    body: " ".repeat(1_048_577),
  });
  const completed = Promise.resolve();
  const { status } = await createHandler()(request, { completed });
  assertEquals(status, 413);
});

Deno.test("a large body over HTTP/2 that finds no room is read to its end without taking memory, then rejected", async () => {
  // Requests over HTTP/2 have no Host.
  const handler = createSmallHandler();
  const { promise, resolve } = Promise.withResolvers<void>();
  const allRead = promise.then(() => {
    growth = Deno.memoryUsage().external - before;
  });
  const bytes = new TextEncoder().encode(ENCODE_A.padEnd(900_000));
  const statuses: number[] = [];
  const before = Deno.memoryUsage().external;
  let growth = 0;
  let unread = 20;
  await Promise.all(Array.from({ length: unread }, async () => {
    let sent = 0;
    const body = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        const { view } = controller.byobRequest!;
        const part = bytes.subarray(sent, sent + view!.byteLength);
        (view as Uint8Array).set(part);
        sent += part.length;
        if (part.length === 0) {
          unread -= 1;
          if (unread === 0) resolve();
          await allRead;
          controller.close();
        }
        controller.byobRequest!.respond(part.length);
      },
    });
    statuses.push((await send(body, { handler })).status);
  }));
  const answered = statuses.filter((status) => status === 200).length;
  assert(answered >= 2 && answered <= 8, `${answered} have found room`);
  const rejected = statuses.filter((status) => status === 503).length;
  assertEquals(answered + rejected, 20);
  assert(growth < 10_000_000, `${growth} bytes`);
});

Deno.test("a POST body must be a JSON object in UTF-8", async (t) => {
  const object = "the body must be a JSON object, got";
  const json = "the body must be JSON: expected a JSON value, got";
  const end = "the end of the text at line";
  const utf8 = "the body must be UTF-8";
  const rows: readonly (readonly [body: BodyInit | null, error: string])[] = [
    [null, `${object} nothing`],
    ["", `${object} nothing`],
    ["null", `${object} null`],
    ["1.50", `${object} 1.5`],
    ['"encode"', `${object} "encode"`],
    ["[1]", `${object} an array`],
    ["  \n", `${json} ${end} 2, column 1`],
    ["action=encode", `${json} "a" at line 1, column 1`],
    [
      '{"action":\n"encode"',
      `the body must be JSON: expected "," or "}", got ${end} 2, column 9`,
    ],
    ["\ufeff", `${object} nothing`],
    ["\ufeffaction=encode", `${json} "a" at line 1, column 1`],
    [`\ufeff\ufeff${ENCODE_A}`, `${json} U+FEFF at line 1, column 1`],
    ["[".repeat(100_000), `${json} ${end} 1, column 100001`],
    // 0xff, a character cut short, an overlong form, an encoded surrogate, UTF-16.
    [Uint8Array.of(0x7b, 0xff), utf8],
    [Uint8Array.of(0x22, 0xe2, 0x82, 0x22), utf8],
    [Uint8Array.of(0x22, 0xc0, 0x80, 0x22), utf8],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80), utf8],
    [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), utf8],
  ];
  for (const [body, error] of rows) {
    await t.step(`${String(body).slice(0, 40)}: ${error}`, async () => {
      assertRefused(await send(body), 400, error);
    });
  }
});

Deno.test("a byte order mark before a POST body is skipped, one in a field is text", async () => {
  for (const padding of [0, 100_000]) {
    const fields = { action: "encode", input: "\ufeffa" };
    const body = `\ufeff${JSON.stringify(fields)}`.padEnd(padding);
    assertEquals((await send(body)).body, { result: "77u/YQ==" });
    assertEquals((await send(inChunks(body))).body, { result: "77u/YQ==" });
  }
});

Deno.test("unknown fields are ignored, also the names of inherited properties", async () => {
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

Deno.test("a body that is a stream of texts is refused", async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue("{}");
      controller.close();
    },
  });
  assertRefused(await send(body), 400, "the body must be a stream of bytes");
});
