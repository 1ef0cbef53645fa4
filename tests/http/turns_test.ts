import { assertEquals } from "@std/assert";
import { takeTurn } from "../../lib/http/turns.ts";

Deno.test("takeTurn() gives one turn in each round of the event loop, in the order of asking", async () => {
  const order: string[] = [];
  async function work(name: string): Promise<void> {
    await takeTurn();
    order.push(name);
    // What is done in a turn before anything is waited for belongs to it.
    await Promise.resolve();
    order.push(`${name} goes on`);
  }
  /** What is small needs a round or two, but no turn. */
  async function others(): Promise<void> {
    for (let round = 1; round <= 3; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`round ${round}`);
    }
  }
  const working = ["first", "second", "third"].map(work);
  await Promise.all([...working, others()]);
  const turns = order.filter((entry) => !entry.startsWith("round"));
  assertEquals(turns, [
    "first",
    "first goes on",
    "second",
    "second goes on",
    "third",
    "third goes on",
  ]);
  for (let i = 1; i < 3; i += 1) {
    const [before, after] = [turns[2 * i - 1]!, turns[2 * i]!];
    const between = order.slice(
      order.indexOf(before) + 1,
      order.indexOf(after),
    );
    assertEquals(
      between.length,
      1,
      `between ${before} and ${after}: ${between}`,
    );
  }
});
