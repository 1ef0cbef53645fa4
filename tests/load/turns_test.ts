/** The order in which large requests compute. Their pauses are tested in `large_answers_test.ts`. */

import { assertEquals } from "@std/assert";
import { Turns } from "../../lib/load/turns.ts";
import { within } from "../_within.ts";

const STAYS = new AbortController().signal;

Deno.test("computations begin in order, and those that have paused go on before others begin", async () => {
  const turns = new Turns();
  const log: string[] = [];
  async function compute(name: string): Promise<void> {
    await turns.waitToBegin(STAYS);
    log.push(`${name} begins`);
    await turns.waitToContinue(STAYS);
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

Deno.test("a computation whose client has disconnected does not begin, and delays no other", async () => {
  const turns = new Turns();
  const client = new AbortController();
  const first = turns.waitToBegin(STAYS);
  const gone = turns.waitToBegin(client.signal)
    .then(() => "begins", (error: Error) => error.name);
  const next = turns.waitToBegin(STAYS);
  client.abort();
  assertEquals(await gone, "LoadError");
  await within(Promise.all([first, next]), "the next computation");
});

Deno.test("a computation whose client disconnects during a pause does not go on", async () => {
  const turns = new Turns();
  const client = new AbortController();
  await turns.waitToBegin(client.signal);
  client.abort();
  const error = await turns.waitToContinue(client.signal).catch((error) =>
    error
  );
  assertEquals(error.name, "LoadError");
});
