import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { assertRefused, post } from "./_client.ts";

const PATH = "/api/hash";

// The examples that NIST publishes with FIPS 180-4, and the digests of nothing.
const VECTORS = [
  ["sha1", "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
  ["sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  [
    "sha1",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
  ],
  [
    "sha256",
    "",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ],
  [
    "sha256",
    "abc",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  ],
  [
    "sha256",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    "sha512",
    "",
    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce" +
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
  ],
  [
    "sha512",
    "abc",
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  ],
] as const;

Deno.test("POST /api/hash answers the digests of FIPS 180-4", async (t) => {
  for (const [algorithm, input, result] of VECTORS) {
    await t.step(`${algorithm} of "${input}"`, async () => {
      const { status, body } = await post(PATH, { algorithm, input });
      assertEquals({ status, body }, {
        status: 200,
        body: { result, algorithm },
      });
    });
  }
});

Deno.test("POST /api/hash agrees with node:crypto on all well-formed text", async () => {
  await fc.assert(fc.asyncProperty(
    fc.constantFrom("sha1", "sha256", "sha512"),
    fc.string({ unit: "binary" }),
    async (algorithm, input) => {
      const { body } = await post(PATH, { algorithm, input });
      const expected = createHash(algorithm).update(input, "utf8").digest(
        "hex",
      );
      assertEquals(body, { result: expected, algorithm });
    },
  ));
});

Deno.test("POST /api/hash answers md5 with 501 whatever the input", async (t) => {
  const rows = [
    ["text", { algorithm: "md5", input: "abc" }],
    ["none", { algorithm: "md5" }],
    ["a number", { algorithm: "md5", input: 5 }],
    ["a lone surrogate", { algorithm: "md5", input: "\ud800" }],
  ] as const;
  for (const [name, fields] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await post(PATH, fields),
        501,
        '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
      );
    });
  }
});

Deno.test("POST /api/hash refuses wrong fields", async (t) => {
  const algorithm = '"algorithm" must be "sha1", "sha256" or "sha512", got ';
  const input = '"input" must be a string, got ';
  const rows = [
    ["no algorithm", { input: "" }, `${algorithm}nothing`],
    ["upper case", { algorithm: "SHA256", input: "" }, `${algorithm}"SHA256"`],
    ["MD5 in upper case", { algorithm: "MD5", input: "" }, `${algorithm}"MD5"`],
    [
      "another digest",
      { algorithm: "sha384", input: "" },
      `${algorithm}"sha384"`,
    ],
    [
      "an inherited name",
      { algorithm: "constructor", input: "" },
      `${algorithm}"constructor"`,
    ],
    [
      "an algorithm of another type",
      { algorithm: 256, input: "" },
      `${algorithm}256`,
    ],
    ["no input", { algorithm: "sha1" }, `${input}nothing`],
    ["input false", { algorithm: "sha1", input: false }, `${input}false`],
    [
      "a lone surrogate",
      { algorithm: "sha1", input: "\udfff" },
      '"input" must be text that UTF-8 can encode, got the lone surrogate U+DFFF at offset 0',
    ],
  ] as const;
  for (const [name, fields, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await post(PATH, fields), 400, error);
    });
  }
});
