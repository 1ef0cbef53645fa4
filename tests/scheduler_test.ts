/** The pauses of large work after small requests, by their number. */

import { assertEquals } from "@std/assert";
import { LargeRequest } from "../lib/load/large_request.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { replace } from "./_replace.ts";

/** A scheduler with a clock that work alone moves, and its number of pauses. */
function createScheduler() {
  const scheduler = new Scheduler();
  const { setTimeout } = globalThis;
  const large = new LargeRequest(new Request("http://h"));
  let now = 1_000;
  let pauses = 0;
  const resource = replace(globalThis, {
    performance: { now: () => now } as Performance,
    setTimeout: ((callback: () => void) => {
      pauses += 1;
      return setTimeout(callback);
    }) as typeof setTimeout,
  });
  function* work() {
    for (let slice = 0; slice < 10; slice += 1) {
      now += 3;
      yield;
    }
  }
  return {
    scheduler,
    wait: (milliseconds: number) => now += milliseconds,
    /** Runs work of ten slices, and returns the number of pauses in it. */
    async countPauses(): Promise<number> {
      const before = pauses;
      await scheduler.runInSlices(large, work());
      const counted = pauses - before;
      // The last slice ends after the work.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return counted;
    },
    ...resource,
  };
}

Deno.test("large work makes six pauses after a small request, and no more until the next", async () => {
  using clock = createScheduler();
  assertEquals(await clock.countPauses(), 0);
  for (let request = 0; request < 2; request += 1) {
    clock.scheduler.noteSmallRequest();
    assertEquals(await clock.countPauses(), 6);
    assertEquals(await clock.countPauses(), 0);
  }
});

Deno.test("large work makes no pauses for a small request that came long before it", async () => {
  using clock = createScheduler();
  assertEquals(await clock.countPauses(), 0);
  for (const [milliseconds, pauses] of [[50, 6], [51, 0]] as const) {
    clock.scheduler.noteSmallRequest();
    clock.wait(milliseconds);
    assertEquals(await clock.countPauses(), pauses);
  }
});
