/** The limits of a thread, and how much of them work may use without waiting. */

import { assert, assertEquals } from "@std/assert";
import { computeLimits, NO_LIMITS } from "../../lib/load/limits.ts";
import { tryStartQuick } from "../../lib/load/load.ts";
import { createLoad, MIB } from "./_load.ts";

Deno.test("the rooms of a thread fit into its memory, and the largest body into each", () => {
  for (
    const [maxBodyBytes, threads, memoryMiB] of [
      [MIB, 1, 64],
      [MIB, 2, 32],
      [MIB, 64, 16],
      [1_000, 1, 64],
      [1.4 * MIB, 4, 16.4],
      [2.8 * MIB, 4, 24.8],
      [8 * MIB, 4, 56],
      [16 * MIB, 1, 104],
      [16 * MIB, 64, 104],
    ] as const
  ) {
    const limits = computeLimits(maxBodyBytes, threads);
    const { bodyBytes, spareBytes, resultBytes, workBytes } = limits;
    const sum = bodyBytes + resultBytes + 3 * workBytes +
      limits.quickResultBytes;
    assertEquals(Math.round(10 * sum / MIB) / 10, memoryMiB);
    assert(spareBytes > maxBodyBytes);
    assert(bodyBytes > spareBytes + maxBodyBytes / 2);
    assert(resultBytes > Math.max(4 / 3 * maxBodyBytes, 8 * MIB));
    assert(workBytes >= maxBodyBytes && limits.quickBytes < bodyBytes);
    assertEquals(limits.keptConnections * threads, 192);
  }
  assertEquals(computeLimits(Infinity, 4), NO_LIMITS);
});

Deno.test("work that begins without waiting leaves the spare room to bodies", () => {
  const scope = {
    request: new Request("http://h"),
    load: createLoad({ bodyBytes: 400, spareBytes: 300 }),
  };
  assertEquals(tryStartQuick(scope, 34), false);
  assertEquals(tryStartQuick(scope, 33), true);
});
