import { assert, assertEquals } from "@std/assert";
import { HttpError } from "../../lib/http/errors.ts";
import { assertPresent, Turns } from "../../lib/http/turns.ts";
import { stopClock } from "../_clock.ts";

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Asks for a turn; how to find out, many rounds later, whether it has come. */
function ask(turns: Turns): () => Promise<boolean> {
  let hasCome = false;
  turns.take().then(() => hasCome = true);
  return async () => {
    for (let round = 0; round < 10; round += 1) await nextRound();
    return hasCome;
  };
}

Deno.test("take() gives one turn in each round of the event loop, in the order of asking", async () => {
  const turns = new Turns();
  const order: string[] = [];
  async function work(name: string): Promise<void> {
    await turns.take();
    order.push(name);
    // What is done in a turn before anything is waited for belongs to it.
    await Promise.resolve();
    order.push(`${name} goes on`);
  }
  /** What is small needs a round or two, but no turn. */
  async function others(): Promise<void> {
    for (let round = 1; round <= 3; round += 1) {
      await nextRound();
      order.push(`round ${round}`);
    }
  }
  const working = ["first", "second", "third"].map(work);
  await Promise.all([...working, others()]);
  const entries = order.filter((entry) => !entry.startsWith("round"));
  assertEquals(entries, [
    "first",
    "first goes on",
    "second",
    "second goes on",
    "third",
    "third goes on",
  ]);
  for (let i = 1; i < 3; i += 1) {
    const [before, after] = [entries[2 * i - 1]!, entries[2 * i]!];
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

Deno.test("while small things are asked for, long work rests three times as long as it has worked", async () => {
  using clock = stopClock();
  const turns = new Turns();
  turns.noteSmall();
  for (const milliseconds of [10, 3, 1]) {
    await turns.take();
    clock.work(milliseconds);
    const hasNext = ask(turns);
    assert(!await hasNext(), "it comes without a rest");
    await clock.pass(3 * milliseconds - 1);
    assert(!await hasNext(), "it comes too early");
    await clock.pass(1);
    assert(await hasNext(), "it comes too late");
  }
});

Deno.test("work of less than a millisecond adds up until it is worth a rest", async () => {
  using clock = stopClock();
  const turns = new Turns();
  turns.noteSmall();
  await turns.take();
  clock.work(0.5);
  assert(await ask(turns)());
  clock.work(5);
  await turns.take();
  clock.work(0.5);
  const hasNext = ask(turns);
  assert(!await hasNext());
  await clock.pass(3);
  assert(await hasNext());
});

Deno.test("long work does not rest where nothing small was asked for", async () => {
  using clock = stopClock();
  const turns = new Turns();
  await turns.take();
  clock.work(10);
  assert(await ask(turns)());
});

Deno.test("long work does not rest a second after something small was seen", async () => {
  for (const [milliseconds, rests] of [[996, true], [997, false]] as const) {
    using clock = stopClock();
    const turns = new Turns();
    turns.noteSmall();
    await turns.take();
    clock.work(1);
    const hasNext = ask(turns);
    assert(!await hasNext());
    await clock.pass(3);
    assert(await hasNext());
    await turns.take();
    clock.work(milliseconds);
    assertEquals(await ask(turns)(), !rests);
  }
});

Deno.test("what was done before a turn, or long after it, is no work of its", async () => {
  using clock = stopClock();
  const turns = new Turns();
  turns.noteSmall();
  clock.work(500);
  await turns.take();
  await nextRound();
  await nextRound();
  clock.work(400);
  assert(await ask(turns)());
});

Deno.test("assertPresent() gives up what nobody waits for any more", async () => {
  const controller = new AbortController();
  const request = new Request("http://h/", { signal: controller.signal });
  assertPresent(request);
  controller.abort();
  // It is no `Error`, which `assertThrows()` wants.
  const error = await Promise.try(assertPresent, request).catch((error) =>
    error
  );
  assertEquals(error, new HttpError(499, "the client has gone"));
});
