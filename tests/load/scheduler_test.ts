/** The time slices of large work, and the pauses for small requests. */

import { assert, assertEquals } from "@std/assert";
import { setImmediate } from "node:timers";
import { Scheduler } from "../../lib/load/scheduler.ts";
import { replace } from "../_replace.ts";
import { createLarge } from "./_load.ts";

/** A scheduler with a clock that work alone moves, and its number of pauses. */
function createScheduler() {
  const scheduler = new Scheduler();
  const { setTimeout } = globalThis;
  const large = createLarge();
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

Deno.test("large work runs in turn, in slices, until its client disconnects", async () => {
  const scheduler = new Scheduler();
  let log = "";
  function* work(name: string) {
    for (let i = 0; i < 3; i += 1) {
      log += name;
      scheduler.noteSmallRequest();
      for (const end = performance.now() + 3; performance.now() < end;);
      yield;
    }
    return name;
  }
  const timer = setInterval(() => log += "-", 0);
  const start = performance.now();
  const results = [..."abc"].map((name) => {
    const large = createLarge(name === "b" ? AbortSignal.abort() : undefined);
    return scheduler.runInSlices(large, work(name))
      .catch(({ status }) => status);
  });
  assertEquals(await Promise.all(results), ["a", 499, "c"]);
  clearInterval(timer);
  // Steps of 3 ms take 18 ms, and the pauses for small requests more than that.
  assert(performance.now() - start > 40, "it does not pause");
  assertEquals(log.replaceAll(/-+/g, "-").replace(/^-|-$/g, ""), "a-a-a-c-c-c");
});

Deno.test("short computations share a slice of 2 ms, or of 32 ms after a second without small requests", async () => {
  let now = 0;
  using _clock = replace(performance, { now: () => now });
  const scheduler = new Scheduler();
  /** Runs three computations; a hyphen stands for another round of the event loop. */
  async function runAll(milliseconds: number): Promise<string> {
    let log = "";
    const round = Promise.withResolvers<void>();
    setImmediate(() => {
      log += "-";
      setTimeout(round.resolve, 20);
    });
    for (const name of "abc") {
      await scheduler.startShort();
      log += name;
      now += milliseconds;
    }
    await round.promise;
    return log;
  }
  assertEquals(await runAll(15), "abc-");
  assertEquals(await runAll(16), "ab-c");
  scheduler.noteSmallRequest();
  assertEquals(await runAll(1), "ab-c");
  now += 990;
  assertEquals(await runAll(1), "ab-c");
  now += 10;
  assertEquals(await runAll(1), "abc-");
});
