import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { HttpError } from "../../lib/http/errors.ts";
import { decodeUtf8, parseQuery, readUtf8 } from "../../lib/http/input.ts";
import { assertRefused, call } from "../_client.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

function send(body: BodyInit, headers: HeadersInit = {}) {
  return call(PATH, { method: "POST", body, headers });
}

Deno.test("a body may come with any Content-Type or none", async () => {
  for (const type of ["application/json", "text/plain", "image/png", ""]) {
    const { body } = await send(ENCODE_A, { "content-type": type });
    assertEquals(body, { result: "YQ==" });
  }
});

Deno.test("a compressed body is refused by the name of its coding", async (t) => {
  const rows = [
    ["gzip", '"gzip"'],
    ["GZIP", '"GZIP"'],
    ["deflate", '"deflate"'],
    ["br", '"br"'],
    ["zstd", '"zstd"'],
    ["identity, gzip", '"identity, gzip"'],
    ["gzip, identity", '"gzip, identity"'],
    ["identityy", '"identityy"'],
    ["x identity", '"x identity"'],
  ] as const;
  for (const [coding, got] of rows) {
    await t.step(coding, async () => {
      const answer = await send(ENCODE_A, { "content-encoding": coding });
      assertRefused(
        answer,
        415,
        `the Content-Encoding header must be "identity" or absent, got ${got}`,
      );
      assertEquals(answer.headers.get("accept-encoding"), "identity");
    });
  }
});

Deno.test("a body that says it is not compressed is read", async (t) => {
  for (const coding of ["identity", "Identity", "identity, identity", ""]) {
    await t.step(`"${coding}"`, async () => {
      const { body } = await send(ENCODE_A, { "content-encoding": coding });
      assertEquals(body, { result: "YQ==" });
    });
  }
});

Deno.test("a body must be a JSON object in UTF-8", async (t) => {
  const rows: readonly [name: string, body: BodyInit, error: string][] = [
    ["nothing", "", "the body must be a JSON object, got nothing"],
    ["an array", "[1]", "the body must be a JSON object, got an array"],
    ["null", "null", "the body must be a JSON object, got null"],
    ["a string", '"a"', 'the body must be a JSON object, got "a"'],
    ["a number", "5", "the body must be a JSON object, got 5"],
    [
      "a number beyond a double",
      "1e999",
      "the body must be a JSON object, got a number above 9007199254740991",
    ],
    [
      "what is no JSON",
      "{'a'}",
      'the body must be JSON: expected a name in double quotes, got "\'" at line 1, column 2',
    ],
    [
      "a byte order mark",
      "\ufeff{}",
      "the body must be JSON: expected a JSON value, got U+FEFF at line 1, column 1",
    ],
    [
      "a byte order mark and a replacement character",
      "\ufeff\ufffd",
      "the body must be JSON: expected a JSON value, got U+FEFF at line 1, column 1",
    ],
    [
      "white space",
      " ",
      "the body must be JSON: expected a JSON value, got the end of the text at line 1, column 2",
    ],
    ["bytes", new Uint8Array([0x7b, 0xff]), "the body must be UTF-8"],
    ["half a character", new Uint8Array([0xc3]), "the body must be UTF-8"],
  ];
  for (const [name, body, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await send(body), 400, error);
    });
  }
});

Deno.test("decodeUtf8() loses nothing and accepts nothing else", () => {
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

Deno.test("readUtf8() finds a lone surrogate wherever it stands", async (t) => {
  const rows = [
    ["at the start", "\ud800a", "U+D800", 0],
    ["at the end", "a\udc00", "U+DC00", 1],
    ["after a pair", "😀\ud83d", "U+D83D", 2],
    ["before a pair", "\ud83d😀", "U+D83D", 0],
    [
      "behind 100,000 characters",
      `${"a".repeat(100_000)}\ud800`,
      "U+D800",
      100_000,
    ],
  ] as const;
  for (const [name, input, got, offset] of rows) {
    await t.step(name, () => {
      const error = assertThrowsHttp(() => readUtf8({ input }, "input"));
      assertEquals(
        error,
        new HttpError(
          400,
          `"input" must be text that UTF-8 can encode, got the lone surrogate ${got} at offset ${offset}`,
        ),
      );
    });
  }
  for (const input of ["", "a".repeat(200), "😀".repeat(200)]) {
    assertEquals(readUtf8({ input }, "input"), input);
  }
});

/** What a function throws, which is no `Error`. */
function assertThrowsHttp(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assertThrows(run, Error);
}

Deno.test("parseQuery() reads as URLSearchParams does", () => {
  assertEquals([...parseQuery("a=1&b=2&a=3&a=0")], [
    ["a", ["1", "3", "0"]],
    ["b", ["2"]],
  ]);
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
