import { assertEquals } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import type { HttpError } from "../../lib/http/answer.ts";
import { Deadlines, Transfer } from "../../lib/load/transfer.ts";

Deno.test("a body that is late, and slower than 64 KiB/s, is aborted once", () => {
  const clock = install({
    now: 1_000,
    toFake: ["setInterval", "clearInterval", "performance"],
  });
  try {
    const deadlines = new Deadlines(2_000);
    const log: string[] = [];
    const [stalled, fast] = ["stalled", "fast"].map((name) => {
      const body = new Transfer();
      body.startClock();
      body.abort = (error) =>
        log.push(`${name}: ${(error as HttpError).status}`);
      deadlines.add(body);
      return body;
    });
    stalled!.moved = 64 * 1024;
    fast!.moved = 3 * 64 * 1024;
    clock.tick(2_000);
    assertEquals(log, []);
    clock.tick(100);
    assertEquals(log, ["stalled: 408"]);
    clock.tick(900);
    assertEquals(log, ["stalled: 408"]);
    // Now it is slower, too.
    clock.tick(100);
    assertEquals(log, ["stalled: 408", "fast: 408"]);
    // Nothing is watched any more.
    clock.tick(100);
    assertEquals(clock.countTimers(), 0);
  } finally {
    clock.uninstall();
  }
});
