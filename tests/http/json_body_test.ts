/** What a body must be once it has come: a JSON object in UTF-8. */

import { assertEquals } from "@std/assert";
import { assertRefused, call } from "../_client.ts";

const PATH = "/api/base64";
const ENCODE_A = '{"action":"encode","input":"a"}';

function send(body: BodyInit) {
  return call(PATH, { method: "POST", body });
}

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
