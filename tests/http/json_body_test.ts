/**
 * Reading of POST bodies: formats, limits and errors. What both ways to receive bodies
 * promise is tested of both; over connections, in `body_connection_test.ts`.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { assertRefused, call } from "../_client.ts";
import { captureLog, replace } from "../_replace.ts";
import { testBothWays } from "../_thread.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

const MIB = 1024 * 1024;

const utf8 = new TextEncoder();

/** Sends a body: as clients do, with `Content-Length` unless it is a stream. */
function send(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  init: Parameters<typeof call>[1] = {},
) {
  const headers = new Headers(init.headers);
  if (!(body instanceof ReadableStream) && !headers.has("content-length")) {
    const bytes = typeof body === "string" ? utf8.encode(body) : body;
    headers.set("content-length", `${bytes?.byteLength ?? 0}`);
  }
  return call(PATH, { method: "POST", body, ...init, headers });
}

/** A body in chunks, without `Content-Length`. */
function inChunks(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
}

/** A body whose start arrives, and nothing more. */
function createStalled(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(utf8.encode("{")),
  });
}

/** Lets no buffer of a number of bytes be made, until the returned resource is disposed of. */
function refuseMemory(refused: number, error: RangeError): Disposable {
  const { transfer } = ArrayBuffer.prototype;
  const scope = new DisposableStack();
  scope.use(replace(ArrayBuffer.prototype, {
    transfer(this: ArrayBuffer, byteLength?: number) {
      if (byteLength === refused) throw error;
      return transfer.call(this, byteLength);
    },
  }));
  scope.use(replace(globalThis, {
    Uint8Array: new Proxy(Uint8Array, {
      construct(target, args) {
        if (args[0] === refused) throw error;
        return Reflect.construct(target, args);
      },
    }),
  }));
  return scope;
}

// The first test, since a timer of another one could end during it.
Deno.test({
  name: "the library: no timer runs on when bodies have been received",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    for (const length of [100, 100_000]) {
      await send(inChunks(ENCODE_A.padEnd(length)));
    }
  },
});

testBothWays(
  "a POST body may come with any Content-Type or none",
  async (create) => {
    const handler = create();
    for (const type of ["application/json", "text/plain", "nonsense", ""]) {
      const init = { handler, headers: { "content-type": type } };
      assertEquals((await send(ENCODE_A, init)).body, { result: "YQ==" });
    }
    const { body } = await send(utf8.encode(ENCODE_A), { handler });
    assertEquals(body, { result: "YQ==" });
  },
);

testBothWays(
  "a POST body may arrive in chunks that cut characters",
  async (create) => {
    const bytes = utf8.encode('{"action":"encode","input":"€"}');
    const chunks = [...bytes].map((byte) => Uint8Array.of(byte));
    const body = ReadableStream.from(chunks);
    const answer = await send(body, { handler: create() });
    assertEquals(answer.body, { result: "4oKs" });
  },
);

testBothWays("a compressed POST body is rejected with 415", async (create) => {
  const handler = create();
  for (const coding of ["gzip", "BR", "identity, gzip", "identityy"]) {
    const headers = { "content-encoding": coding };
    const answer = await send(ENCODE_A, { handler, headers });
    assertRefused(
      answer,
      415,
      `the Content-Encoding header must be "identity" or absent, got "${coding}"`,
    );
    assertEquals(answer.headers.get("accept-encoding"), "identity");
  }
  for (const coding of ["identity", "Identity", "identity, identity", ""]) {
    const headers = { "content-encoding": coding };
    assertEquals((await send(ENCODE_A, { handler, headers })).status, 200);
  }
});

testBothWays(
  "a POST body of MAX_BODY_BYTES is accepted, one of more rejected with 413",
  async (create) => {
    const handler = create({ maxBodyBytes: 64, bodyTimeoutMs: 1_000 });
    const largest = ENCODE_A.padEnd(64);
    const error = "the body must be at most 64 bytes";
    for (const headers of [{}, { "content-length": "64" }]) {
      const init = { handler, headers };
      assertEquals((await send(largest, init)).status, 200);
      assertEquals((await send(inChunks(largest), init)).status, 200);
    }
    const longer = inChunks(largest, " ");
    assertRefused(await send(longer, { handler }), 413, error);
    // A length that is too large is rejected before the body arrives.
    for (const length of ["65", "70000", "99999999999999999999"]) {
      const headers = { "content-length": length };
      const answer = await send(createStalled(), { handler, headers });
      assertRefused(answer, 413, error);
    }
  },
);

testBothWays(
  "the rest of a body that is too large is cancelled",
  async (create) => {
    let isCancelled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(100)),
      cancel() {
        isCancelled = true;
      },
    });
    const handler = create({ maxBodyBytes: 64 });
    const { status } = await send(body, { handler });
    assertEquals([status, isCancelled], [413, true]);
  },
);

// The service relies on the server, which ends a body after its `Content-Length`.
Deno.test("the library: a body is counted while it is read, whatever its Content-Length", async () => {
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
testBothWays(
  "a Content-Length that is no number is ignored",
  async (create) => {
    const handler = create();
    for (const length of ["30, 30", "", "1e1", "-1", "0x5", "1.0"]) {
      const headers = { "content-length": length };
      const { status } = await send(ENCODE_A, { handler, headers });
      assertEquals([length, status], [length, 200]);
    }
  },
);

testBothWays("a body that does not come gets 408", async (create) => {
  const handler = create({ bodyTimeoutMs: 20 });
  const error = "the body must arrive within 20 milliseconds";
  for (
    const headers of [{}, { "content-length": "100000" }, {
      "content-length": "2",
    }]
  ) {
    const answer = await send(createStalled(), { handler, headers });
    assertRefused(answer, 408, error);
  }
});

testBothWays("a body that breaks off gets 400", async (create) => {
  const handler = create();
  const error = "the body must be complete, got only part of it";
  for (
    const headers of [{}, { "content-length": "100000" }, {
      "content-length": "100",
    }]
  ) {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("reset")),
    });
    assertRefused(await send(body, { handler, headers }), 400, error);
  }
});

testBothWays(
  "a lack of memory for a body is a 500, and the next body is received",
  async (create) => {
    const handler = create();
    const error = new RangeError("Array buffer allocation failed");
    const body = ENCODE_A.padEnd(MIB);
    using log = captureLog();
    for (let i = 0; i < 10; i += 1) {
      using _ = refuseMemory(MIB, error);
      const failing = new ReadableStream({
        pull: (controller) => controller.error(error),
      });
      for (const sent of [failing, inChunks(body)]) {
        const init = { method: "POST", headers: { host: "h" }, body: sent };
        const request = new Request(`http://localhost${PATH}`, init);
        assertEquals((await handler(request)).status, 500);
      }
    }
    assertEquals(log.lines.length, 20);
    assertEquals((await send(body, { handler })).status, 200);
  },
);

// As in workerd.
Deno.test("the library: a late body gets 408 although its cancelled read fails", async () => {
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

// The service refuses such a body: `guarantees/slow_clients_test.ts`.
Deno.test("the library: a body in very many chunks lets other code run, and is late in time", async () => {
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

// `Deno.serve` itself rejects a request with both headers.
Deno.test("the library: a chunked body is counted although it has a Content-Length", async () => {
  const headers = { "content-length": "5", "transfer-encoding": "chunked" };
  const { status } = await send(" ".repeat(1_048_577), { headers });
  assertEquals(status, 413);
});

testBothWays(
  "a POST body must be a JSON object in UTF-8",
  async (create, t) => {
    const handler = create();
    const object = "the body must be a JSON object, got";
    const json = "the body must be JSON: expected a JSON value, got";
    const end = "the end of the text at line";
    const encoding = "the body must be UTF-8";
    const rows: readonly (readonly [
      body: string | Uint8Array<ArrayBuffer> | null,
      error: string,
    ])[] = [
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
      [Uint8Array.of(0x7b, 0xff), encoding],
      [Uint8Array.of(0x22, 0xe2, 0x82, 0x22), encoding],
      [Uint8Array.of(0x22, 0xc0, 0x80, 0x22), encoding],
      [Uint8Array.of(0x22, 0xed, 0xa0, 0x80), encoding],
      [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), encoding],
    ];
    for (const [body, error] of rows) {
      await t.step(`${String(body).slice(0, 40)}: ${error}`, async () => {
        assertRefused(await send(body, { handler }), 400, error);
      });
    }
  },
);

testBothWays(
  "a byte order mark before a POST body is skipped, one in a field is text",
  async (create) => {
    const handler = create();
    for (const padding of [0, 100_000]) {
      const fields = { action: "encode", input: "\ufeffa" };
      const body = `\ufeff${JSON.stringify(fields)}`.padEnd(padding);
      for (const sent of [body, inChunks(body)]) {
        const answer = await send(sent, { handler });
        assertEquals(answer.body, { result: "77u/YQ==" });
      }
    }
  },
);

testBothWays(
  "an unknown field is an error, even one with the name of an inherited property",
  async (create) => {
    const handler = create();
    const call = '"action":"encode","input":"a"';
    const known = 'the fields of /api/base64 are "action", "input", "variant"';
    const names = Array.from({ length: 60 }, (_, i) => `"${16_384 * i}":1`);
    const rows = [
      [`{${call},"encoding":"hex"}`, `unknown field "encoding": ${known}`],
      [`{"Action":null,${call}}`, `unknown field "Action": ${known}`],
      [`{${call},"\\u0069nput ":1}`, `unknown field "input ": ${known}`],
      ['{"inptu":"a"}', `unknown field "inptu": ${known}`],
      [
        `{"__proto__":{},"constructor":1,"toString":null,"":[],${call}}`,
        `unknown fields "__proto__", "constructor", "toString" and 1 more: ${known}`,
      ],
      [
        `{${names},${call}}`,
        /^unknown fields "0", "16384", "32768" and at least \d+ more: /,
      ],
      [
        `{${call},"${"x".repeat(100)}\\n":1}`,
        `unknown field "${"x".repeat(39)}…": ${known}`,
      ],
    ] as const;
    for (const [body, message] of rows) {
      for (const padding of [0, 100_000]) {
        const answer = await send(body.padEnd(padding), { handler });
        if (typeof message === "string") assertRefused(answer, 400, message);
        else assertMatch(answer.body!["error"] as string, message);
      }
    }
  },
);

testBothWays("a form is rejected as such", async (create) => {
  const handler = create();
  const multipart = "multipart/form-data";
  const encoded = "application/x-www-form-urlencoded";
  const file = new FormData();
  file.set("input", new Blob([Uint8Array.of(0xff)]));
  const rows = [
    [new URLSearchParams({ action: "encode", input: "a" }), encoded],
    [file, multipart],
    ["--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--", multipart],
  ] as const;
  const expected =
    'the body must be a JSON object such as {"action":"encode","input":"héllo"}, got a form';
  for (const [form, type] of rows) {
    const encodedForm = new Response(form);
    const { headers } = encodedForm;
    const body = await encodedForm.bytes();
    const answer = await send(body, { handler, headers });
    assertRefused(answer, 400, `${expected} (${type})`);
  }
  // curl sends JSON with the media type of a form.
  const headers = { "content-type": encoded };
  const answers = [
    ['{"action":"encode","input":"a"}', 200],
    [" {}", 400],
    ['{"action":}', 400],
    ["'{}'", 400],
  ] as const;
  for (const [body, status] of answers) {
    const answer = await send(body, { handler, headers });
    assertEquals(answer.status, status);
    assert(!JSON.stringify(answer.body).includes("form"));
  }
});

testBothWays("a body that is a stream of texts is refused", async (create) => {
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue("{}");
      controller.close();
    },
  });
  const answer = await send(body, { handler: create() });
  assertRefused(answer, 400, "the body must be a stream of bytes");
});
