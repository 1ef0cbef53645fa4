import { assertEquals, assertThrows } from "@std/assert";
import { encodeBase64 as encodeBytes } from "@std/encoding/base64";
import fc from "fast-check";
import { Base64Error, encodeBase64 } from "../lib/base64.ts";
import { assertEachRefused, assertRefused, post } from "./_client.ts";
import { checkPost } from "./_fuzz.ts";
import { createHandler } from "../routes/mod.ts";

const PATH = "/api/base64";

const utf8Encoder = new TextEncoder();

function encode(input: string, variant?: string): Promise<unknown> {
  return send({ action: "encode", input, variant });
}

function decode(input: string): Promise<unknown> {
  return send({ action: "decode", input });
}

/** Returns the only member of a successful response. */
async function send(fields: object): Promise<unknown> {
  const { status, body } = await post(PATH, fields);
  assertEquals(status, 200);
  const { result, ...others } = body!;
  assertEquals(others, {});
  return result;
}

Deno.test("POST /api/base64 encodes and decodes the vectors of RFC 4648, and UTF-8", async () => {
  const rows = [
    // RFC 4648, section 10.
    ["", ""],
    ["f", "Zg=="],
    ["fo", "Zm8="],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg=="],
    ["fooba", "Zm9vYmE="],
    ["foobar", "Zm9vYmFy"],
    ["é", "w6k="],
    ["€", "4oKs"],
    ["😀", "8J+YgA=="],
    ["\uFEFFa", "77u/YQ=="],
    ["\uFEFF\uFFFD", "77u/77+9"],
    ["\0", "AA=="],
  ] as const;
  for (const [text, encoded] of rows) {
    assertEquals(await encode(text), encoded);
    assertEquals(await decode(encoded), text);
  }
});

Deno.test("POST /api/base64 encodes in the variant asked for", async () => {
  assertEquals(await encode("??>>~~", "standard"), "Pz8+Pn5+");
  assertEquals(await encode("??>>~~", "url"), "Pz8-Pn5-");
  assertEquals(await encode("f", "url"), "Zg");
});

Deno.test("POST /api/base64 decodes as atob does, and the URL-safe alphabet", async (t) => {
  const rows = [
    ["no padding", "Zm9vYg", "foob"],
    ["line breaks", "Zm9v\r\nYmFy\n", "foobar"],
    ["every ASCII white space", " \tZ\nm\f9\rv ", "foo"],
    ["white space inside the padding", "Zg= =\n", "f"],
    ["white space only", " \n", ""],
    ["non-zero trailing bits of two characters", "Zh==", "f"],
    ["non-zero trailing bits of three characters", "Zm9", "fo"],
    ["the URL-safe alphabet", "Pz8-Pn5-", "??>>~~"],
    ["the URL-safe alphabet, underscore", "Pz8_Pz8_", "??????"],
    ["the URL-safe alphabet, padded", "8J-YgA==", "😀"],
  ] as const;
  for (const [name, input, text] of rows) {
    await t.step(name, async () => assertEquals(await decode(input), text));
  }
});

Deno.test("POST /api/base64 rejects invalid Base64", async (t) => {
  const foreign = "must be Base64 text, got";
  const padding =
    'must end in the padding that its length needs or in none, got "=" at offset';
  const mixed = "must not mix the standard and the URL-safe alphabet, got";
  const short = "must be whole Base64 text, got";
  const rows = [
    ["Zm9v!mFy", `${foreign} "!" at offset 4`],
    // White space counts in the offset.
    ["Zm\n9v é", `${foreign} "é" at offset 6`],
    ["Zm9v😀", `${foreign} "😀" at offset 4`],
    ["_m9v😀", `${foreign} "😀" at offset 4`],
    ["Zm9v\ud800", `${foreign} U+D800 at offset 4`],
    ["Zm\v9v", `${foreign} U+000B at offset 2`],
    ["Zg=", `${padding} 2`],
    ["Zg===", `${padding} 2`],
    ["Zm9v=", `${padding} 4`],
    ["Zg==Zg==", `${padding} 2`],
    ["=", `${padding} 0`],
    ["====", `${padding} 0`],
    ["ab+_", `${mixed} "_" at offset 3 after "+"`],
    ["-b/_", `${mixed} "/" at offset 2 after "-"`],
    ["Z", `${short} 1 character, which encodes no byte`],
    ["Zm9vY", `${short} 5 characters, the last of which encodes no byte`],
  ] as const;
  await assertEachRefused(
    t,
    PATH,
    rows.map(([input, error]) => [
      { action: "decode", input },
      `"input" ${error}`,
    ]),
  );
});

Deno.test("POST /api/base64 rejects bytes that are not UTF-8 text", async (t) => {
  const error =
    '"input" must encode UTF-8 text, got bytes that are not UTF-8 text';
  // 0xff, a continuation byte, an overlong form, an encoded surrogate, a character
  // cut short, and one above U+10FFFF.
  const inputs = ["/w==", "gA==", "wIA=", "7aCA", "8J+Y", "9JCAgA=="];
  await assertEachRefused(
    t,
    PATH,
    inputs.map((input) => [{ action: "decode", input }, error]),
  );
});

Deno.test("a lone surrogate is not encoded, and the error names the first one", async () => {
  const rows = [
    ["a\udc00", "U+DC00 at offset 1"],
    ["😀\ud83d", "U+D83D at offset 2"],
    ["\ud83d😀\ud800", "U+D83D at offset 0"],
  ] as const;
  for (const [input, got] of rows) {
    const error =
      `must be text that UTF-8 can encode, got the lone surrogate ${got}`;
    const answer = await post(PATH, { action: "encode", input });
    assertRefused(answer, 400, `"input" ${error}`);
    const { name } = assertThrows(
      () => encodeBase64(input),
      Base64Error,
      error,
    );
    assertEquals(name, "Base64Error");
  }
});

Deno.test("POST /api/base64 rejects wrong fields", async (t) => {
  const action = '"action" must be "encode" or "decode", got';
  const variant = '"variant" must be "standard" or "url", got';
  const input = '"input" must be a string, got';
  const encode = { action: "encode", input: "" };
  await assertEachRefused(t, PATH, [
    [{ input: "" }, `${action} nothing`],
    [{ ...encode, action: "Encode" }, `${action} "Encode"`],
    [{ ...encode, action: ["encode"] }, `${action} an array`],
    [{ action: "encode" }, `${input} nothing`],
    [{ action: "decode", input: 5 }, `${input} 5`],
    [{ ...encode, variant: "URL" }, `${variant} "URL"`],
    [{ action: "decode", input: "", variant: 1 }, `${variant} 1`],
  ]);
});

Deno.test("POST /api/base64 agrees with node:buffer and atob", async () => {
  const input = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom(..."AZaz09+/-_= \n\t\f\r!é"),
      maxLength: 12,
    }),
  );
  const fields = fc.record({
    action: fc.constantFrom("encode", "decode"),
    input,
    variant: fc.constantFrom(undefined, "standard", "url"),
  });
  await fc.assert(
    fc.asyncProperty(fields, (fields) => checkPost(PATH, fields)),
    { numRuns: 5_000 },
  );
});

Deno.test("POST /api/base64 decodes large texts to their last byte, and rejects those that are cut off", async () => {
  // The results are written in parts of 1 and 16 KiB.
  for (const length of [32_767, 32_768, 33_000, 33_791, 49_150, 49_151]) {
    for (const end of ["a", "\0", "\x1b", "\x7f", "é", "€", "\ud7ff", "😀"]) {
      const text = "a".repeat(length) + end;
      const bytes = utf8Encoder.encode(text);
      await checkPost(PATH, { action: "decode", input: encodeBytes(bytes) });
      const input = encodeBytes(bytes.subarray(0, -1));
      await checkPost(PATH, { action: "decode", input });
    }
  }
});

Deno.test("POST /api/base64 holds at most 16 MiB of results that are not read, with many threads", async () => {
  const handler = createHandler({ threads: 64 });
  const fields = { action: "encode", input: "a".repeat(750_000) };
  const init = { method: "POST", body: JSON.stringify(fields) };
  const responses: Response[] = [];
  for (let i = 0; i < 20; i += 1) {
    responses.push(await handler(new Request(`http://h${PATH}`, init)));
  }
  // Each result has 1,000,013 bytes.
  const held = responses.filter(({ status }) => status === 200);
  assertEquals(held.length, 16);
  for (const response of held) await response.body!.cancel();
});
