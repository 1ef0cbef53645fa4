import { assertEquals } from "@std/assert";
import { call } from "../_client.ts";

Deno.test("GET /api/uuid never returns the same UUID twice", async () => {
  const uuids: unknown[] = [];
  for (const query of ["", "?count=100", "?count=1", "?count=100", ""]) {
    const { body } = await call(`/api/uuid${query}`);
    uuids.push(...Object.values(body!).flat());
  }
  assertEquals(uuids.length, 203);
  assertEquals(new Set(uuids).size, 203);
});
