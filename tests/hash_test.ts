import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { assertRefused, post } from "./_client.ts";

const PATH = "/api/hash";

// The examples that NIST publishes with FIPS 180-4.
const VECTORS = [
  ["sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  [
    "sha256",
    "abc",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
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

Deno.test("POST /api/hash rejects wrong fields", async (t) => {
  const algorithm = '"algorithm" must be "sha1", "sha256" or "sha512", got ';
  const input = '"input" must be a string, got ';
  const rows = [
    ["no algorithm", { input: "" }, `${algorithm}nothing`],
    ["upper case", { algorithm: "SHA256", input: "" }, `${algorithm}"SHA256"`],
    ["MD5 in upper case", { algorithm: "MD5", input: "" }, `${algorithm}"MD5"`],
    [
      "an inherited name",
      { algorithm: "constructor", input: "" },
      `${algorithm}"constructor"`,
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
