import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { assertRefused, post } from "./_client.ts";

const PATH = "/api/base64";

async function encode(input: string, variant?: string): Promise<unknown> {
  return await send({ action: "encode", input, variant });
}

async function decode(input: string): Promise<unknown> {
  return await send({ action: "decode", input });
}

/** Returns the only member of a successful response. */
async function send(fields: object): Promise<unknown> {
  const { status, body } = await post(PATH, fields);
  assertEquals(status, 200);
  const { result, ...others } = body!;
  assertEquals(others, {});
  return result;
}

// RFC 4648, section 10.
const RFC_VECTORS = [
  ["", ""],
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
  ["fooba", "Zm9vYmE="],
  ["foobar", "Zm9vYmFy"],
] as const;

Deno.test("POST /api/base64 encodes and decodes the vectors of RFC 4648", async () => {
  for (const [text, encoded] of RFC_VECTORS) {
    assertEquals(await encode(text), encoded);
    assertEquals(await decode(encoded), text);
  }
});

Deno.test("POST /api/base64 encodes UTF-8", async (t) => {
  const rows = [
    ["two bytes", "é", "w6k="],
    ["three bytes", "€", "4oKs"],
    ["four bytes", "😀", "8J+YgA=="],
    ["a BOM", "\uFEFFa", "77u/YQ=="],
    ["NUL", "\0", "AA=="],
  ] as const;
  for (const [name, text, encoded] of rows) {
    await t.step(name, async () => {
      assertEquals(await encode(text), encoded);
      assertEquals(await decode(encoded), text);
    });
  }
});

Deno.test("POST /api/base64 encodes in the variant asked for", async () => {
  assertEquals(await encode("??>>~~", "standard"), "Pz8+Pn5+");
  assertEquals(await encode("??>>~~", "url"), "Pz8-Pn5-");
  assertEquals(await encode("f", "url"), "Zg");
});

Deno.test("POST /api/base64 decodes as atob does, and the URL-safe alphabet", async (t) => {
  const rows = [
    ["without padding", "Zm9vYg", "foob"],
    ["without padding, one short", "Zm9vYmE", "fooba"],
    ["with line breaks", "Zm9v\r\nYmFy\n", "foobar"],
    ["with every ASCII white space", " \tZ\nm\f9\rv ", "foo"],
    ["with white space inside the padding", "Zg= =\n", "f"],
    ["white space only", " \n", ""],
    ["non-zero trailing bits, two characters", "Zh==", "f"],
    ["non-zero trailing bits, three characters", "Zm9", "fo"],
    ["the URL-safe alphabet", "Pz8-Pn5-", "??>>~~"],
    ["the URL-safe alphabet, underscore", "Pz8_Pz8_", "??????"],
    ["the URL-safe alphabet, padded", "8J-YgA==", "😀"],
  ] as const;
  for (const [name, input, text] of rows) {
    await t.step(name, async () => assertEquals(await decode(input), text));
  }
});

Deno.test("POST /api/base64 rejects invalid Base64", async (t) => {
  const padding =
    '"input" must end in the padding that its length needs or in none, got "=" at offset ';
  const foreign = '"input" must be Base64 text, got ';
  const mixed =
    '"input" must not mix the standard and the URL-safe alphabet, got ';
  const rows = [
    ["a foreign character", "Zm9v!mFy", `${foreign}"!" at offset 4`],
    [
      "white space counted in the offset",
      "Zm\n9v é",
      `${foreign}"é" at offset 6`,
    ],
    ["a character outside the BMP", "Zm9v😀", `${foreign}"😀" at offset 4`],
    ["a lone surrogate", "Zm9v\ud800", `${foreign}U+D800 at offset 4`],
    ["vertical tab", "Zm\v9v", `${foreign}U+000B at offset 2`],
    [
      "a character outside the BMP in URL-safe text",
      "_m9v😀",
      `${foreign}"😀" at offset 4`,
    ],
    ["too little padding", "Zg=", `${padding}2`],
    ["too much padding", "Zg===", `${padding}2`],
    ["padding that is not needed", "Zm9v=", `${padding}4`],
    ["padding inside", "Zg==Zg==", `${padding}2`],
    ["padding only", "=", `${padding}0`],
    ["padding only, four characters", "====", `${padding}0`],
    ["mixed alphabets", "ab+_", `${mixed}"_" at offset 3 after "+"`],
    [
      "mixed alphabets, URL-safe first",
      "-b/_",
      `${mixed}"/" at offset 2 after "-"`,
    ],
    [
      "one character",
      "Z",
      '"input" must be whole Base64 text, got 1 character, which encodes no byte',
    ],
    [
      "one character too many",
      "Zm9vY",
      '"input" must be whole Base64 text, got 5 characters, the last of which encodes no byte',
    ],
  ] as const;
  for (const [name, input, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await post(PATH, { action: "decode", input }), 400, error);
    });
  }
});

Deno.test("POST /api/base64 rejects bytes that are not UTF-8 text", async (t) => {
  const rows = [
    ["0xff", "/w=="],
    ["a lone continuation byte", "gA=="],
    ["an overlong form", "wIA="],
    ["an encoded surrogate", "7aCA"],
    ["a character cut short", "8J+Y"],
    ["above U+10FFFF", "9JCAgA=="],
  ] as const;
  for (const [name, input] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await post(PATH, { action: "decode", input }),
        400,
        '"input" must encode UTF-8 text, got bytes that are not UTF-8 text',
      );
    });
  }
});

Deno.test("POST /api/base64 rejects to encode a lone surrogate", async () => {
  assertRefused(
    await post(PATH, { action: "encode", input: "a😀\udc00" }),
    400,
    '"input" must be text that UTF-8 can encode, got the lone surrogate U+DC00 at offset 3',
  );
});

Deno.test("POST /api/base64 rejects wrong fields", async (t) => {
  const action = '"action" must be "encode" or "decode", got ';
  const variant = '"variant" must be "standard" or "url", got ';
  const input = '"input" must be a string, got ';
  const rows = [
    ["no action", { input: "" }, `${action}nothing`],
    ["another action", { action: "Encode", input: "" }, `${action}"Encode"`],
    [
      "an action of another type",
      { action: ["encode"], input: "" },
      `${action}an array`,
    ],
    ["no input", { action: "encode" }, `${input}nothing`],
    ["input a number", { action: "decode", input: 5 }, `${input}5`],
    [
      "another variant",
      { action: "encode", input: "", variant: "URL" },
      `${variant}"URL"`,
    ],
    [
      "a wrong variant for decode",
      { action: "decode", input: "", variant: 1 },
      `${variant}1`,
    ],
  ] as const;
  for (const [name, fields, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await post(PATH, fields), 400, error);
    });
  }
});

Deno.test("POST /api/base64 agrees with node:buffer on all well-formed text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const encoded = Buffer.from(text, "utf8");
      assertEquals(await encode(text), encoded.toString("base64"));
      assertEquals(await encode(text, "url"), encoded.toString("base64url"));
      assertEquals(await decode(encoded.toString("base64")), text);
      assertEquals(await decode(encoded.toString("base64url")), text);
    }),
  );
});

Deno.test("POST /api/base64 agrees with atob on the standard alphabet", async () => {
  const nearBase64 = fc.string({
    unit: fc.constantFrom(..."AZaz09+/= \n\t\f\r!é"),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(nearBase64, async (input) => {
      let bytes: string | undefined;
      try {
        bytes = atob(input);
      } catch (error) {
        assertEquals((error as Error).name, "InvalidCharacterError");
      }
      const { status, body } = await post(PATH, { action: "decode", input });
      assertEquals(status, bytes !== undefined && isUtf8(bytes) ? 200 : 400);
      if (status === 200) {
        assertEquals(
          Buffer.from(body!["result"] as string),
          Buffer.from(bytes!, "latin1"),
        );
      }
    }),
    { numRuns: 2000 },
  );
});

/** Whether the code units of a string are the bytes of a UTF-8 text. */
function isUtf8(binary: string): boolean {
  const bytes = Buffer.from(binary, "latin1");
  return Buffer.from(bytes.toString()).equals(bytes);
}
