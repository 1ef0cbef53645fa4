/** Reading of POST bodies and queries: formats, limits and errors. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodeUtf8, parseQuery } from "../../lib/http/input.ts";
import { HttpError } from "../../lib/http_error.ts";
import { assertRefused, call, createTestHandler } from "../_client.ts";
import { stopClock } from "../_clock.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

function send(
  body: BodyInit,
  init: RequestInit & Parameters<typeof call>[1] = {},
) {
  return call(PATH, { method: "POST", body, ...init });
}

/** A body without `Content-Length` that arrives in chunks, and then stalls or ends. */
function createStream(
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

Deno.test("a POST body may come with any Content-Type or none", async () => {
  for (const type of ["application/json", "text/plain", "nonsense", ""]) {
    const { body } = await send(ENCODE_A, {
      headers: { "content-type": type },
    });
    assertEquals(body, { result: "YQ==" });
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

Deno.test("a compressed POST body is rejected with 415", async (t) => {
  for (const coding of ["gzip", "BR", "identity, gzip", "identityy"]) {
    await t.step(coding, async () => {
      const headers = { "content-encoding": coding };
      const answer = await send(ENCODE_A, { headers });
      assertRefused(
        answer,
        415,
        `the Content-Encoding header must be "identity" or absent, got "${coding}"`,
      );
      assertEquals(answer.headers.get("accept-encoding"), "identity");
    });
  }
  for (const coding of ["identity", "Identity", "identity, identity", ""]) {
    await t.step(`"${coding}" is accepted`, async () => {
      const headers = { "content-encoding": coding };
      assertEquals((await send(ENCODE_A, { headers })).status, 200);
    });
  }
});

Deno.test("a POST body of more than MAX_BODY_BYTES bytes is rejected with 413", async (t) => {
  for (const maxBodyBytes of [64, 1_048_576]) {
    const handler = createTestHandler({ maxBodyBytes });
    const largest = ENCODE_A.padEnd(maxBodyBytes);
    const error = `the body must be at most ${maxBodyBytes} bytes`;
    const lengthOf = (text: string) => ({ "content-length": `${text.length}` });
    await t.step(`${maxBodyBytes} bytes are accepted`, async () => {
      const headers = lengthOf(largest);
      for (const init of [{ handler }, { handler, headers }]) {
        assertEquals((await send(largest, init)).status, 200);
        assertEquals((await send(createStream([largest]), init)).status, 200);
      }
    });
    await t.step(`${maxBodyBytes + 1} bytes are rejected`, async () => {
      const headers = lengthOf(`${largest} `);
      const stream = () => createStream([largest, " "]);
      assertRefused(await send(stream(), { handler }), 413, error);
      assertRefused(await send(stream(), { handler, headers }), 413, error);
    });
    await t.step(
      "a longer body than Content-Length says is rejected",
      async () => {
        const headers = { "content-length": "5" };
        const body = createStream([largest, " "]);
        assertRefused(await send(body, { handler, headers }), 413, error);
      },
    );
    await t.step(
      "a large Content-Length is rejected before the body arrives",
      async () => {
        const headers = lengthOf(`${largest} `);
        const body = createStream([], { stalls: true });
        assertRefused(await send(body, { handler, headers }), 413, error);
      },
    );
  }
});

Deno.test("a POST body that stalls is rejected with 408 after BODY_TIMEOUT_MS", async (t) => {
  for (const length of [undefined, "31", "131072", "131073"]) {
    await t.step(`Content-Length ${length}`, async () => {
      using clock = stopClock();
      const handler = createTestHandler({ bodyTimeoutMs: 20 });
      const body = createStream(['{"action":'], { stalls: true });
      const headers: HeadersInit = length ? { "content-length": length } : {};
      let isAnswered = false;
      const answer = send(body, { headers, handler })
        .finally(() => isAnswered = true);
      await clock.pass(19);
      assertEquals(isAnswered, false);
      await clock.pass(1);
      assertRefused(
        await answer,
        408,
        "the body must arrive within 20 milliseconds",
      );
    });
  }
});

Deno.test("a POST body must be a JSON object in UTF-8", async (t) => {
  const object = "the body must be a JSON object, got ";
  const json = "the body must be JSON: expected a JSON value, got ";
  const utf8 = "the body must be UTF-8";
  const rows: readonly [name: string, body: BodyInit | null, error: string][] =
    [
      ["no body", null, `${object}nothing`],
      ["an empty body", "", `${object}nothing`],
      ["null", "null", `${object}null`],
      ["a number", "1.50", `${object}1.5`],
      ["a string", '"encode"', `${object}"encode"`],
      ["an array", "[1]", `${object}an array`],
      ["white space", "  \n", `${json}the end of the text at line 2, column 1`],
      ["text", "action=encode", `${json}"a" at line 1, column 1`],
      [
        "truncated JSON",
        '{"action":\n"encode"',
        'the body must be JSON: expected "," or "}", got the end of the text at line 2, column 9',
      ],
      [
        "a byte order mark",
        `\ufeff${ENCODE_A}`,
        `${json}U+FEFF at line 1, column 1`,
      ],
      [
        "100,000 open arrays",
        "[".repeat(100_000),
        `${json}the end of the text at line 1, column 100001`,
      ],
      ["the byte 0xff", Uint8Array.of(0x7b, 0xff), utf8],
      ["a truncated character", Uint8Array.of(0x22, 0xe2, 0x82, 0x22), utf8],
      ["an overlong form", Uint8Array.of(0x22, 0xc0, 0x80, 0x22), utf8],
      ["an encoded surrogate", Uint8Array.of(0x22, 0xed, 0xa0, 0x80), utf8],
      ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), utf8],
    ];
  for (const [name, body, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await call(PATH, { method: "POST", body }), 400, error);
    });
  }
});

Deno.test("a replacement character in the input is accepted and kept", async () => {
  const encoded = await send('{"action":"encode","input":"\ufffd€"}');
  assertEquals(encoded.body, { result: "77+94oKs" });
  const decoded = await send('{"action":"decode","input":"77+94oKs"}');
  assertEquals(decoded.body, { result: "\ufffd€" });
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

Deno.test("a message shows at most 40 characters of a value", async () => {
  assertRefused(
    await send(JSON.stringify({ action: "😀".repeat(200_000) })),
    400,
    `"action" must be "encode" or "decode", got "${"😀".repeat(39)}…"`,
  );
});

Deno.test("a message names the first lone surrogate and its offset", async (t) => {
  const rows = [
    ["at the end", "a\udc00", "U+DC00", 1],
    ["after a pair", "😀\ud83d", "U+D83D", 2],
    ["before a pair", "\ud83d😀", "U+D83D", 0],
  ] as const;
  for (const [name, input, got, offset] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await send(JSON.stringify({ action: "encode", input })),
        400,
        `"input" must be text that UTF-8 can encode, got the lone surrogate ${got} at offset ${offset}`,
      );
    });
  }
});

Deno.test("decodeUtf8() decodes UTF-8 without loss and throws for other bytes", () => {
  const utf8Encoder = new TextEncoder();
  const texts = fc.string({
    unit: fc.constantFrom("\ufeff", "\ufffd", "a", "é", "€", "😀", "\0"),
  });
  fc.assert(fc.property(texts, (text) => {
    assertEquals(decodeUtf8(utf8Encoder.encode(text), ""), text);
  }));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
    let text: string;
    try {
      text = decodeUtf8(bytes, "no UTF-8");
    } catch (error) {
      assertEquals(error, new HttpError(400, "no UTF-8"));
      return;
    }
    assertEquals(utf8Encoder.encode(text), bytes);
  }));
});

Deno.test("parseQuery() agrees with URLSearchParams", () => {
  const units = fc.constantFrom(..."ab=&+%2#é", "%20", "%ff");
  fc.assert(fc.property(fc.string({ unit: units }), (text) => {
    const parameters = new URLSearchParams(text);
    const query = parseQuery(text);
    assertEquals([...query.keys()], [...new Set(parameters.keys())]);
    for (const [name, values] of query) {
      assertEquals(values, parameters.getAll(name));
    }
  }));
});
