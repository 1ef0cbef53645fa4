import { assert, assertEquals } from "@std/assert";
import { ComputeQueue } from "../../lib/load/compute_queue.ts";

/** Blocks the thread for long enough that a pause is due. */
function block(): void {
  const end = performance.now() + 5;
  while (performance.now() < end) continue;
}

Deno.test("large computations run one at a time, although they pause", async () => {
  const queue = new ComputeQueue();
  const events: string[] = [];
  async function compute(name: string): Promise<void> {
    await queue.take("large");
    events.push(`${name} starts`);
    for (let step = 0; step < 3; step += 1) {
      block();
      await queue.yieldControl();
    }
    events.push(`${name} ends`);
  }
  async function computeSmall(): Promise<void> {
    await queue.take("small");
    events.push("small");
  }
  await Promise.all([compute("a"), compute("b"), computeSmall()]);
  assertEquals(events.filter((event) => event !== "small"), [
    "a starts",
    "a ends",
    "b starts",
    "b ends",
  ]);
  assert(events.indexOf("small") < events.indexOf("a ends"));
});
