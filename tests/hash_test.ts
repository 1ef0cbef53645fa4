import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertEachRefused, assertRefused, post } from "./_client.ts";
import { checkPost } from "./_fuzz.ts";

const PATH = "/api/hash";

Deno.test("POST /api/hash answers the digests of FIPS 180-4", async () => {
  // The examples that NIST publishes.
  const digests = {
    sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  };
  for (const [algorithm, result] of Object.entries(digests)) {
    const { status, body } = await post(PATH, { algorithm, input: "abc" });
    assertEquals([status, body], [200, { result, algorithm }]);
  }
});

Deno.test("POST /api/hash agrees with node:crypto on all text", async () => {
  const algorithm = fc.constantFrom("sha1", "sha256", "sha512");
  const fields = fc.record({ algorithm, input: fc.string({ unit: "binary" }) });
  await fc.assert(
    fc.asyncProperty(fields, (fields) => checkPost(PATH, fields)),
  );
});

Deno.test("POST /api/hash answers md5 with 501 whatever the input", async () => {
  for (const input of ["abc", undefined, "\ud800"]) {
    assertRefused(
      await post(PATH, { algorithm: "md5", input }),
      501,
      '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
    );
  }
});

Deno.test("POST /api/hash rejects wrong fields", async (t) => {
  const algorithm = '"algorithm" must be "sha1", "sha256" or "sha512", got';
  await assertEachRefused(t, PATH, [
    [{ input: "" }, `${algorithm} nothing`],
    [{ algorithm: "SHA256", input: "" }, `${algorithm} "SHA256"`],
    [{ algorithm: "MD5", input: "" }, `${algorithm} "MD5"`],
    [{ algorithm: "constructor", input: "" }, `${algorithm} "constructor"`],
    [{ algorithm: "sha1" }, '"input" must be a string, got nothing'],
    [
      { algorithm: "sha1", input: false },
      '"input" must be a string, got false',
    ],
    [
      { algorithm: "sha1", input: "\udfff" },
      '"input" must be text that UTF-8 can encode, got the lone surrogate U+DFFF at offset 0',
    ],
  ]);
});
