import { assertEquals } from "@std/assert";
import { Deadlines } from "../../lib/http/deadlines.ts";

Deno.test("deadlines pass in the order in which they were set, but for cleared ones", async () => {
  const deadlines = new Deadlines(5);
  const passed: string[] = [];
  deadlines.set(() => passed.push("first"));
  const second = deadlines.set(() => passed.push("second"));
  const third = new Promise<void>((resolve) => {
    deadlines.set(() => {
      passed.push("third");
      resolve();
    });
  });
  deadlines.clear(second);
  await third;
  assertEquals(passed, ["first", "third"]);
});

Deno.test("a deadline passes that was set while another one waited, or after", async () => {
  const deadlines = new Deadlines(20);
  const first = new Promise<void>((resolve) => {
    deadlines.set(resolve);
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = new Promise<void>((resolve) => {
    deadlines.set(resolve);
  });
  await first;
  await second;
  await new Promise<void>((resolve) => {
    deadlines.set(resolve);
  });
});

Deno.test("a deadline never passes early", async () => {
  const deadlines = new Deadlines(20);
  const start = performance.now();
  const time = await new Promise<number>((resolve) => {
    deadlines.set(() => resolve(performance.now()));
  });
  assertEquals(time - start >= 20, true);
});
