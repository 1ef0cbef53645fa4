import { setImmediate } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { Turns } from "../../lib/load/turns.ts";
import { replace } from "../_replace.ts";

const STAYS = new AbortController().signal;

Deno.test("computations begin in order, and those that have paused go on before others begin", async () => {
  const turns = new Turns();
  const log: string[] = [];
  async function compute(name: string): Promise<void> {
    await turns.begin(STAYS);
    log.push(`${name} begins`);
    await turns.pause(STAYS);
    log.push(`${name} goes on`);
  }
  await Promise.all(["a", "b", "c"].map(compute));
  assertEquals(log, [
    "a begins",
    "a goes on",
    "b begins",
    "b goes on",
    "c begins",
    "c goes on",
  ]);
});

Deno.test("a computation that waits for something else lets others compute", async () => {
  const turns = new Turns();
  await turns.begin(STAYS);
  // It waits, for instance for a digest.
  await turns.begin(STAYS);
  await turns.begin(STAYS);
});

Deno.test("computations of 4 ms or more are followed by many rounds of the event loop", async () => {
  let now = 1_000;
  using _ = replace(performance, { now: () => now });
  const turns = new Turns();
  let rounds = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await setImmediate();
      rounds += 1;
    }
  })();
  async function countRounds(milliseconds: number): Promise<number> {
    await turns.begin(STAYS);
    now += milliseconds;
    const before = rounds;
    await turns.begin(STAYS);
    return rounds - before;
  }
  assert(await countRounds(3.9) < 10);
  // Deno accepts a new connection within 61 rounds, and reads its request in 61 more.
  assert(await countRounds(4) > 122);
  isOver = true;
  await counting;
});

Deno.test("a computation whose client has disconnected does not begin, and delays no other", async () => {
  const turns = new Turns();
  const client = new AbortController();
  const first = turns.begin(STAYS);
  const gone = turns.begin(client.signal)
    .then(() => "begins", (error: Error) => error.name);
  const next = turns.begin(STAYS);
  client.abort();
  assertEquals(await gone, "LoadError");
  await Promise.all([first, next]);
});

Deno.test("a computation whose client disconnects during a pause does not go on", async () => {
  const turns = new Turns();
  const client = new AbortController();
  await turns.begin(client.signal);
  client.abort();
  const error = await turns.pause(client.signal).catch((error) => error);
  assertEquals(error.name, "LoadError");
});
