import { assertEquals } from "@std/assert";
import { assertRefused, post } from "./_client.ts";

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

Deno.test("null is no value of an optional field", async () => {
  const fields = { action: "encode", input: "a", variant: null };
  assertRefused(
    await post("/api/base64", fields),
    400,
    '"variant" must be "standard" or "url", got null',
  );
});
