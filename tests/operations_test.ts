/** Sizes and statuses, which `_cases.ts` cannot show of the endpoints. */

import { assertEquals } from "@std/assert";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call, post } from "./_client.ts";

Deno.test("POST /api/json formats to at most 8 MiB", async () => {
  // Most of the result is indentation; a string makes it exactly as long.
  const nest = (text: string) =>
    `${"[".repeat(2_000)}"${text}"${"]".repeat(2_000)}`;
  const empty = JSON.stringify(JSON.parse(nest("")), null, 2);
  const filling = "x".repeat(8_388_608 - empty.length);
  const largest = { action: "format", input: nest(filling) };
  const { body } = await post("/api/json", largest);
  assertEquals((body!["result"] as string).length, 8_388_608);
  assertRefused(
    await post("/api/json", { ...largest, input: nest(`${filling}x`) }),
    400,
    '"input" must be JSON that is not too large when it is formatted: the result would exceed 8388608 bytes',
  );
});

Deno.test("POST /api/hash answers md5 with 501 whatever the input", async () => {
  for (const input of ["abc", undefined, "\ud800"]) {
    assertRefused(
      await post("/api/hash", { algorithm: "md5", input }),
      501,
      '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
    );
  }
});

Deno.test("GET /healthz answers ok, and 503 while shutting down", async () => {
  const { status, body } = await call("/healthz");
  assertEquals([status, body], [200, { status: "ok" }]);
  const handler = createHandler({ isStopping: () => true });
  const answer = await call("/healthz", { handler });
  assertRefused(answer, 503, "the service is shutting down");
});

Deno.test("null is no value of an optional field", async () => {
  const fields = { action: "encode", input: "a", variant: null };
  assertRefused(
    await post("/api/base64", fields),
    400,
    '"variant" must be "standard" or "url", got null',
  );
});
