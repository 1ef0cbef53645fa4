/** To the millisecond, what a stop waits for: clock and listener are the test's. */

import { assert, assertEquals } from "@std/assert";
import type { FetchHandler } from "../../lib/http/middleware.ts";
import { atMost, Server } from "../../lib/process/server.ts";
import { type Clock, stopClock } from "../_clock.ts";
import { captureLog } from "../_replace.ts";
import { type FakeListener, replaceServe } from "./_fakes.ts";

const REQUEST = new Request("http://localhost/");

/** A fake timer that is set while another one runs comes a millisecond late. */
const TURN_MS = 1;

/** A server at a listener that a stop shuts down at a time that is measured. */
function serve(handler: FetchHandler = () => new Response("x")) {
  const fake = replaceServe();
  const server = new Server();
  server.listen(handler, { host: "127.0.0.1", port: 0 });
  const listener = fake.all[0]!;
  fake[Symbol.dispose]();
  return { server, listener };
}

/** Lets time pass, and returns the milliseconds until something holds. */
async function measure(clock: Clock, holds: () => boolean): Promise<number> {
  // What has happened already is done first.
  await clock.pass(0);
  let passed = 0;
  for (; !holds(); passed += 1) {
    assert(passed < 20_000, "nothing happened for 20 seconds");
    await clock.pass(1);
  }
  return passed;
}

function measureClosing(clock: Clock, listener: FakeListener) {
  return measure(clock, () => listener.isShuttingDown);
}

Deno.test("a stop closes the listener after 200 ms in which no request came", async () => {
  using clock = stopClock();
  const { server, listener } = serve();
  assertEquals(server.isStopping, false);
  const stopped = server.stop();
  assertEquals(server.isStopping, true);
  assertEquals(await measureClosing(clock, listener), 200);
  listener.departure.resolve();
  await clock.pass(TURN_MS);
  await stopped;
});

Deno.test("a request puts the end of silence off: 200 ms from the end of the pause that it came in", async (t) => {
  for (
    const [time, end] of [[0, 220], [19, 220], [21, 240], [199, 400]] as const
  ) {
    await t.step(`${time} ms`, async () => {
      using clock = stopClock();
      const { server, listener } = serve();
      server.stop();
      await clock.pass(time);
      listener.answer(REQUEST);
      assertEquals(time + await measureClosing(clock, listener), end);
    });
  }
});

Deno.test("a stop waits for silence for 600 ms and no more", async () => {
  using clock = stopClock();
  const { server, listener } = serve();
  server.stop();
  for (let time = 0; time < 590; time += 10) {
    listener.answer(REQUEST);
    await clock.pass(10);
    assertEquals(listener.isShuttingDown, false);
  }
  assertEquals(590 + await measureClosing(clock, listener), 600);
});

Deno.test("a stop lets every request arrive that has begun, for 4 seconds after the silence", async (t) => {
  for (const count of [1, 2, 3]) {
    await t.step(`${count}, of which the last comes`, async () => {
      using clock = stopClock();
      const answers = Array.from(
        { length: count },
        () => Promise.withResolvers<Response>(),
      );
      const queue = answers.values();
      const { server, listener } = serve(() => queue.next().value!.promise);
      for (const _ of answers) listener.answer(REQUEST);
      server.stop();
      for (const { resolve } of answers) {
        await clock.pass(1_000);
        assertEquals(listener.isShuttingDown, false);
        resolve(new Response("x"));
      }
      assertEquals(await measureClosing(clock, listener), 0);
    });
  }
  await t.step("one that never comes", async () => {
    using clock = stopClock();
    const { server, listener } = serve(() => new Promise(() => {}));
    listener.answer(REQUEST);
    server.stop();
    assertEquals(await measureClosing(clock, listener), 4_200);
  });
  await t.step("none, where all had been answered", async () => {
    using clock = stopClock();
    const { server, listener } = serve(() =>
      Promise.resolve(new Response("x"))
    );
    await Promise.all([1, 2].map(() => listener.answer(REQUEST)));
    server.stop();
    assertEquals(await measureClosing(clock, listener), 200);
  });
});

Deno.test("a stop waits 4 seconds for answers to depart, and no longer than they take", async (t) => {
  for (const departs of [true, false]) {
    await t.step(departs ? "they do" : "they do not", async () => {
      using clock = stopClock();
      const { server, listener } = serve();
      let isStopped = false;
      server.stop().then(() => isStopped = true);
      await clock.pass(200 + TURN_MS);
      await clock.pass(3_000);
      assertEquals(isStopped, false);
      if (departs) listener.departure.resolve();
      assertEquals(
        await measure(clock, () => isStopped),
        departs ? 0 : 1_000,
      );
    });
  }
});

Deno.test("a listener that does not close is logged, and the stop ends", async () => {
  using clock = stopClock();
  using log = captureLog();
  const { server, listener } = serve();
  const stopped = server.stop();
  await measureClosing(clock, listener);
  listener.departure.reject("stuck");
  await clock.pass(TURN_MS);
  await stopped;
  assertEquals(log.lines, [["error", "the listener did not close: stuck"]]);
});

Deno.test("a server that never listened stops", async () => {
  using clock = stopClock();
  const server = new Server();
  const stopped = server.stop();
  await clock.pass(10_000);
  await stopped;
  assertEquals(server.isStopping, true);
});

Deno.test("answers that are ready while a server stops are held until others have closed, and tell clients to close", async (t) => {
  const handlers: readonly [string, FetchHandler][] = [
    ["at once", () => new Response("x")],
    ["later", () => Promise.resolve(new Response("x"))],
  ];
  for (const [name, handler] of handlers) {
    await t.step(name, async () => {
      using clock = stopClock();
      const { server, listener } = serve(handler);
      const before = await listener.answer(REQUEST);
      assertEquals(before.headers.get("connection"), null);
      const othersClosed = Promise.withResolvers<void>();
      let isAsked = false;
      const stopped = server.stop(() => {
        isAsked = true;
        return othersClosed.promise;
      });
      let isAnswered = false;
      const answer = Promise.resolve(listener.answer(REQUEST));
      answer.then(() => isAnswered = true);
      // The listener closes first.
      assertEquals(
        await measure(clock, () => isAsked),
        await measureClosing(clock, listener) + 220 + TURN_MS,
      );
      await clock.pass(60_000);
      assertEquals(isAnswered, false);
      othersClosed.resolve();
      const response = await answer;
      assertEquals(response.headers.get("connection"), "close");
      assertEquals(await response.text(), "x");
      listener.departure.resolve();
      await stopped;
    });
  }
});

Deno.test("atMost() waits for an event, or as long as it is told", async () => {
  using clock = stopClock();
  let isOver = false;
  atMost(50, new Promise(() => {})).then(() => isOver = true);
  assertEquals(await measure(clock, () => isOver), 50);
  await atMost(50, Promise.resolve());
});
