/** Strings that would make `JSON.parse()` slow. */

import { assert, assertEquals } from "@std/assert";
import { ask, post } from "../guarantees/_exchanges.ts";
import { RawConnection, startServer } from "../_server.ts";

Deno.test("strings that collide in V8's table take no longer than others", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  async function measure(step: number): Promise<number> {
    const numbers = Array.from({ length: 1e4 }, (_, i) => `${(i + 1) * step}`);
    const start = performance.now();
    for (let i = 0; i < 10; i += 1) {
      assertEquals(await ask(connection, post("/api/hash", { numbers })), 400);
    }
    return performance.now() - start;
  }
  const ordinary = await measure(65_537);
  // Multiples of a power of two have the same position in V8's table.
  const colliding = await measure(65_536);
  assert(colliding < 4 * ordinary, `${ordinary} and ${colliding} ms`);
});
