import fc from "./_property.ts";
import { anyText } from "./_text.ts";
import { assertRefused, post } from "./_client.ts";
import { checkPost } from "./_fuzz.ts";

const PATH = "/api/hash";

Deno.test("POST /api/hash agrees with node:crypto on all text", async () => {
  const algorithm = fc.constantFrom("sha1", "sha256", "sha512");
  const fields = fc.record({ algorithm, input: anyText() });
  await fc.assert(
    fc.asyncProperty(fields, (fields) => checkPost(PATH, fields)),
  );
});

Deno.test("POST /api/hash keeps texts apart that come at once", async () => {
  const inputs = Array.from({ length: 20 }, (_, i) => `${i} `.repeat(20_000));
  await Promise.all(
    inputs.map((input) => checkPost(PATH, { algorithm: "sha256", input })),
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
