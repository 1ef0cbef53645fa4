import { assertEquals, assertMatch } from "@std/assert";
import { assertRefused, call } from "./_client.ts";

// RFC 9562, section 5.4: version 4, variant 0b10.
const VERSION_4 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

Deno.test("GET /api/uuid answers one version 4 UUID", async () => {
  const { status, body } = await call("/api/uuid");
  assertEquals(status, 200);
  assertEquals(Object.keys(body!), ["uuid"]);
  assertMatch(body!["uuid"] as string, VERSION_4);
});

Deno.test("GET /api/uuid answers a list when count is given", async (t) => {
  for (const count of [1, 2, 100]) {
    await t.step(`count=${count}`, async () => {
      const { status, body } = await call(`/api/uuid?count=${count}`);
      assertEquals(status, 200);
      assertEquals(Object.keys(body!), ["uuids"]);
      const uuids = body!["uuids"] as string[];
      assertEquals(uuids.length, count);
      assertEquals(new Set(uuids).size, count);
      for (const uuid of uuids) assertMatch(uuid, VERSION_4);
    });
  }
});

Deno.test("GET /api/uuid rejects a wrong count", async (t) => {
  const rows = [
    ["below the minimum", "count=0", '"0"'],
    ["above the maximum", "count=101", '"101"'],
    ["no value", "count", '""'],
    ["trailing letters", "count=12abc", '"12abc"'],
    ["an exponent", "count=1e1", '"1e1"'],
    ["a plus sign, which is decoded as a space", "count=+5", '" 5"'],
    ["a trailing line feed", "count=5%0A", '"5\\n"'],
    ["bytes that are not UTF-8", "count=5%FF", '"5\ufffd"'],
    [
      "more digits than a double holds",
      `count=${"9".repeat(400)}`,
      `"${"9".repeat(39)}…"`,
    ],
  ] as const;
  for (const [name, query, got] of rows) {
    await t.step(name, async () => {
      assertRefused(
        await call(`/api/uuid?${query}`),
        400,
        `"count" must be an integer from 1 to 100, got ${got}`,
      );
    });
  }
});

Deno.test("GET /api/uuid rejects count given twice", async () => {
  assertRefused(
    await call("/api/uuid?count=1&count=1"),
    400,
    '"count" must be given at most once, got it 2 times',
  );
});

Deno.test("GET /api/uuid ignores unknown parameters", async () => {
  const { body } = await call("/api/uuid?Count=5&x=1&x=2&__proto__=1");
  assertEquals(Object.keys(body!), ["uuid"]);
});
