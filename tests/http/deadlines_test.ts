import { assertEquals } from "@std/assert";
import { Deadlines } from "../../lib/http/deadlines.ts";
import { stopClock } from "../_clock.ts";

Deno.test("deadlines pass in the order in which they were set, but for cleared ones", async () => {
  using clock = stopClock();
  const deadlines = new Deadlines(5);
  const passed: string[] = [];
  deadlines.set(() => passed.push("first"));
  const second = deadlines.set(() => passed.push("second"));
  deadlines.set(() => passed.push("third"));
  deadlines.clear(second);
  await clock.pass(4);
  assertEquals(passed, []);
  await clock.pass(1);
  assertEquals(passed, ["first", "third"]);
});

Deno.test("a deadline that was set while another one waited passes in its own time", async () => {
  using clock = stopClock();
  const deadlines = new Deadlines(20);
  const passed: string[] = [];
  deadlines.set(() => passed.push("first"));
  await clock.pass(5);
  deadlines.set(() => passed.push("second"));
  await clock.pass(15);
  assertEquals(passed, ["first"]);
  await clock.pass(4);
  assertEquals(passed, ["first"]);
  await clock.pass(1);
  assertEquals(passed, ["first", "second"]);
});

Deno.test("a deadline that is set after all others have passed or gone passes too", async () => {
  using clock = stopClock();
  const deadlines = new Deadlines(20);
  const passed: string[] = [];
  deadlines.clear(deadlines.set(() => passed.push("cleared")));
  await clock.pass(100);
  deadlines.set(() => passed.push("late"));
  await clock.pass(19);
  assertEquals(passed, []);
  await clock.pass(1);
  assertEquals(passed, ["late"]);
});

Deno.test("deadlines share one timer, however many there are", async () => {
  using clock = stopClock();
  const deadlines = new Deadlines(20);
  for (let i = 0; i < 10; i += 1) {
    deadlines.set(() => {});
    assertEquals(clock.timers, 1);
    await clock.pass(3);
  }
});
