import { assertEquals, assertMatch } from "@std/assert";
import { call } from "./_client.ts";

// RFC 9562, section 5.4: version 4, variant 0b10.
const VERSION_4 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

Deno.test("GET /api/uuid answers one version 4 UUID, and ignores unknown parameters", async () => {
  for (const query of ["", "?Count=5&x=1&x=2&__proto__=1"]) {
    const { status, body } = await call(`/api/uuid${query}`);
    assertEquals([status, Object.keys(body!)], [200, ["uuid"]]);
    assertMatch(body!["uuid"] as string, VERSION_4);
  }
});

Deno.test("GET /api/uuid answers a list when count is given", async () => {
  for (let count = 1; count <= 100; count += 1) {
    const { status, body } = await call(`/api/uuid?count=${count}`);
    assertEquals([status, Object.keys(body!)], [200, ["uuids"]]);
    const uuids = body!["uuids"] as string[];
    assertEquals(uuids.length, count);
    assertEquals(new Set(uuids).size, count);
    for (const uuid of uuids) assertMatch(uuid, VERSION_4);
  }
});
