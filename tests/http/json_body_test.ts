/** POST bodies in the library and in the service: formats, limits, and errors. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { createHandler } from "../../routes/mod.ts";
import { assertError, call } from "../_client.ts";
import { captureLog } from "../_replace.ts";
import { testBothWays } from "../_thread.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

const MIB = 1024 * 1024;

const utf8 = new TextEncoder();

/** Sends a body, with `Content-Length` unless it is a stream, as clients do. */
function send(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  { path = PATH, ...init }: Parameters<typeof call>[1] & {
    readonly path?: string;
  } = {},
) {
  const headers = new Headers(init.headers);
  if (!(body instanceof ReadableStream) && !headers.has("content-length")) {
    const bytes = typeof body === "string" ? utf8.encode(body) : body;
    headers.set("content-length", `${bytes?.byteLength ?? 0}`);
  }
  return call(path, { method: "POST", body, ...init, headers });
}

/** A body in chunks, without `Content-Length`. */
function inChunks(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
}

/** A body that stalls after its first byte. */
function createStalled(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(utf8.encode("{")),
  });
}

testBothWays(
  "a POST body can have any Content-Type or none",
  async (create) => {
    const handler = create();
    for (const type of ["application/json", "nonsense", ""]) {
      const init = { handler, headers: { "content-type": type } };
      assertEquals((await send(ENCODE_A, init)).body, { result: "YQ==" });
    }
    const { body } = await send(utf8.encode(ENCODE_A), { handler });
    assertEquals(body, { result: "YQ==" });
  },
);

testBothWays(
  "a POST body of any size is received complete, with Content-Length and in chunks",
  async (create) => {
    const handler = create();
    const frame = JSON.stringify({ algorithm: "sha256", input: "" }).length;
    const numbers = Array.from({ length: MIB / 4 }, (_, i) => i).join();
    for (const size of [100, 65_536, 65_537, 262_145, MIB]) {
      const input = numbers.slice(0, size - frame);
      const result = createHash("sha256").update(input).digest("hex");
      const body = JSON.stringify({ algorithm: "sha256", input });
      const chunks = body.match(/.{1,70000}/g) ?? [];
      for (const sent of [body, inChunks(...chunks)]) {
        const response = await send(sent, { handler, path: "/api/hash" });
        assertEquals(response.body, { result, algorithm: "sha256" });
      }
    }
  },
);

testBothWays(
  "a compressed POST body gets 415, and a transfer coding other than chunked gets 501",
  async (create) => {
    const handler = create();
    for (const coding of ["gzip", "BR", "identity, gzip", "identityy"]) {
      const headers = { "content-encoding": coding };
      const response = await send(ENCODE_A, { handler, headers });
      assertError(
        response,
        415,
        `the Content-Encoding header must be "identity" or absent, got "${coding}"`,
      );
      assertEquals(response.headers.get("accept-encoding"), "identity");
    }
    for (const coding of ["Identity", "identity, identity", ""]) {
      const headers = { "content-encoding": coding };
      assertEquals((await send(ENCODE_A, { handler, headers })).status, 200);
    }
    const headers = { "transfer-encoding": "gzip, chunked" };
    assertError(
      await send(inChunks(ENCODE_A), { handler, headers }),
      501,
      'the Transfer-Encoding header must be "chunked" or absent, got "gzip, chunked"',
    );
  },
);

testBothWays(
  "a POST body of MAX_BODY_BYTES is accepted; a larger one gets 413 before it arrives",
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
    assertError(await send(longer, { handler }), 413, error);
    // A length that is too large is rejected before the body arrives.
    for (const length of ["65", "70000", "99999999999999999999"]) {
      const headers = { "content-length": length };
      const response = await send(createStalled(), { handler, headers });
      assertError(response, 413, error);
    }
  },
);

// The service relies on the server, which ends a body after its `Content-Length`.
Deno.test("the library: a body is counted while it is read, whatever its Content-Length, and then canceled", async () => {
  let pulledBytes = 0;
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulledBytes += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
    cancel() {
      isCanceled = true;
    },
  });
  const error = "the body must be at most 1048576 bytes";
  const headers = { "content-length": "5" };
  assertError(await send(body, { headers }), 413, error);
  assert(pulledBytes <= 1_300_000, `${pulledBytes} bytes were read`);
  assert(isCanceled);
});

// Servers join the values of a repeated header.
testBothWays(
  "a Content-Length that isn't a number is ignored",
  async (create) => {
    const handler = create();
    for (const length of ["30, 30", "", "1e1", "-1", "0x5", "1.0"]) {
      const headers = { "content-length": length };
      const { status } = await send(ENCODE_A, { handler, headers });
      assertEquals([length, status], [length, 200]);
    }
  },
);

/** Headers of bodies that are read in different ways. */
const BODY_HEADERS = [
  {},
  { "content-length": "100" },
  { "content-length": "100000" },
];

testBothWays("a body that doesn't arrive gets 408", async (create) => {
  const handler = create({ bodyTimeoutMs: 20 });
  const error = "the body must arrive within 20 milliseconds";
  for (const headers of [{}, { "content-length": "100" }]) {
    const response = await send(createStalled(), { handler, headers });
    assertError(response, 408, error);
  }
});

testBothWays("a body that ends early gets 400", async (create) => {
  const handler = create();
  const error = "the body must be complete, got only part of it";
  for (const headers of BODY_HEADERS) {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("reset")),
    });
    assertError(await send(body, { handler, headers }), 400, error);
  }
});

testBothWays(
  "without memory for a body, the response is 500, and the next body is received",
  async (create) => {
    const handler = create();
    using log = captureLog();
    for (const headers of BODY_HEADERS) {
      const body = new ReadableStream({
        pull: (controller) => controller.error(new RangeError("no memory")),
      });
      const init = { method: "POST", headers: { host: "h", ...headers }, body };
      const request = new Request(`http://localhost${PATH}`, init);
      assertEquals((await handler(request)).status, 500);
    }
    assertEquals(log.lines.length, BODY_HEADERS.length);
    assertEquals((await send(ENCODE_A, { handler })).status, 200);
  },
);

// workerd behaves like this.
Deno.test("the library: a late body gets 408 even if its canceled read fails", async () => {
  const handler = createHandler({ bodyTimeoutMs: 20 });
  const reading = Promise.withResolvers<never>();
  const reader = {
    read: () => reading.promise,
    cancel() {
      reading.reject(new TypeError("the reader was canceled"));
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

// The service rejects such a body: `guarantees/slow_clients_test.ts`.
Deno.test("the library: a body in very many chunks lets other code run, and times out", async () => {
  const handler = createHandler({ bodyTimeoutMs: 500 });
  // Without a pause, chunks that have already arrived would be read all at once.
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
      [`\ufeff\ufeff${ENCODE_A}`, `${json} U+FEFF at line 1, column 1`],
      // 0xff, a truncated character, UTF-16.
      [Uint8Array.of(0x7b, 0xff), encoding],
      [Uint8Array.of(0x22, 0xe2, 0x82, 0x22), encoding],
      [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), encoding],
    ];
    for (const [body, error] of rows) {
      await t.step(`${String(body).slice(0, 40)}: ${error}`, async () => {
        assertError(await send(body, { handler }), 400, error);
      });
    }
  },
);

testBothWays(
  "a byte order mark before a POST body is skipped, even if chunks split it; one in a field is kept",
  async (create) => {
    const handler = create();
    for (const padding of [0, 100_000]) {
      const fields = { action: "encode", input: "\ufeffa" };
      const body = `\ufeff${JSON.stringify(fields)}`.padEnd(padding);
      const bytes = utf8.encode(body);
      const chunks = ReadableStream.from([bytes.slice(0, 1), bytes.slice(1)]);
      for (const sent of [body, chunks]) {
        const response = await send(sent, { handler });
        assertEquals(response.body, { result: "77u/YQ==" });
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
      [`{"Action":null,${call}}`, `unknown field "Action": ${known}`],
      [`{${call},"\\u0069nput ":1}`, `unknown field "input ": ${known}`],
      [
        `{"__proto__":{},"constructor":1,"toString":null,"":[],${call}}`,
        `unknown fields "__proto__", "constructor", "toString" and 1 more: ${known}`,
      ],
      [
        `{${names},${call}}`,
        /^unknown fields "0", "16384", "32768" and at least \d+ more: /,
      ],
    ] as const;
    for (const [body, message] of rows) {
      for (const padding of [0, 100_000]) {
        const response = await send(body.padEnd(padding), { handler });
        if (typeof message === "string") assertError(response, 400, message);
        else assertMatch(response.body!["error"] as string, message);
      }
    }
  },
);

testBothWays("a form is rejected, and named in the error", async (create) => {
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
    const response = await send(body, { handler, headers });
    assertError(response, 400, `${expected} (${type})`);
  }
  // curl sends JSON with the media type of a form.
  const headers = { "content-type": encoded };
  const unformed = [
    ['{"action":"encode","input":"a"}', 200],
    [" {}", 400],
    ["'{}'", 400],
  ] as const;
  for (const [body, status] of unformed) {
    const response = await send(body, { handler, headers });
    assertEquals(response.status, status);
    assert(!JSON.stringify(response.body).includes("form"));
  }
});

testBothWays(
  "a body that is a stream of strings is rejected",
  async (create) => {
    const body = ReadableStream.from(["{}"]);
    const response = await send(body, { handler: create() });
    assertError(response, 400, "the body must be a stream of bytes");
  },
);
