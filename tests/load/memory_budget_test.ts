import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import { MemoryBudget } from "../../lib/load/memory_budget.ts";
import { Transfer } from "../../lib/load/transfer.ts";

const KIB = 1024;

/** A budget of ten bytes, and a log of what happens to the transfers. */
class Scene implements Disposable {
  /** The time stands still until a test lets it pass. */
  readonly clock = install({
    now: 1_000,
    toFake: ["setInterval", "clearInterval", "performance"],
  });
  isStopping = false;
  readonly budget = new MemoryBudget(10, () => this.isStopping);
  #log: string[] = [];

  /** Reserves bytes, and logs when they are there, or the name of the error. */
  reserve(
    name: string,
    bytes: number,
    signal = new AbortController().signal,
  ): Transfer {
    const transfer = new Transfer();
    transfer.onAbort((error) => {
      this.#log.push(`${name} aborted: ${error.message}`);
      this.budget.release(transfer);
    });
    this.budget.reserve(transfer, bytes, { signal }).then(() => {
      transfer.startClock();
      this.#log.push(name);
    }, (error: Error) => this.#log.push(`${name}: ${error.message}`));
    return transfer;
  }

  /** Lets time pass; returns what was logged since the last call. */
  async pass(milliseconds = 0): Promise<string[]> {
    await this.clock.tickAsync(milliseconds);
    return this.#log.splice(0);
  }

  [Symbol.dispose](): void {
    this.clock.uninstall();
  }
}

/** Makes a client as fast as it must be for a time. */
function keepUp(transfer: Transfer, milliseconds: number): void {
  transfer.advance(64 * KIB * milliseconds / 1_000);
}

Deno.test("transfers get in while there is room, and wait first in, first out", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 6);
  const b = scene.reserve("b", 4);
  scene.reserve("c", 7);
  scene.reserve("d", 1);
  assertEquals(await scene.pass(), ["a", "b"]);
  scene.budget.release(b);
  // "d" would fit, but does not come before "c".
  assertEquals(await scene.pass(), []);
  assertEquals(scene.budget.tryReserve(new Transfer(), 1), false);
  scene.budget.release(a);
  assertEquals(await scene.pass(), ["c", "d"]);
});

Deno.test("a transfer that is larger than the budget gets in when no other is there", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 1);
  const large = scene.reserve("large", 11);
  scene.reserve("b", 1);
  assertEquals(await scene.pass(), ["a"]);
  scene.budget.release(a);
  assertEquals(await scene.pass(), ["large"]);
  scene.budget.release(large);
  assertEquals(await scene.pass(), ["b"]);
});

Deno.test("a transfer that gives a part back makes room, and one that needs more gets it", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 8);
  scene.budget.resize(a, 12);
  scene.reserve("b", 4);
  assertEquals(await scene.pass(), ["a"]);
  scene.budget.resize(a, 7);
  assertEquals(await scene.pass(), []);
  scene.budget.resize(a, 6);
  assertEquals(await scene.pass(), ["b"]);
});

Deno.test("a transfer gives back once what it has reserved", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 10);
  scene.budget.release(a);
  scene.budget.release(a);
  scene.reserve("b", 6);
  scene.reserve("c", 5);
  assertEquals(await scene.pass(), ["a", "b"]);
});

Deno.test("a transfer that has waited 10 s is rejected", async () => {
  using scene = new Scene();
  keepUp(scene.reserve("a", 10), 20_000);
  scene.reserve("late", 10);
  assertEquals(await scene.pass(10_000), ["a"]);
  assertEquals(await scene.pass(25), ["late: busy"]);
});

Deno.test("when the first is rejected, the next may get in", async () => {
  using scene = new Scene();
  keepUp(scene.reserve("a", 5), 20_000);
  scene.reserve("late", 10);
  await scene.pass(1_000);
  scene.reserve("b", 5);
  assertEquals(await scene.pass(9_000), []);
  assertEquals(await scene.pass(25), ["late: busy", "b"]);
});

Deno.test("1,024 transfers may wait, the next one is rejected at once", async () => {
  using scene = new Scene();
  for (let i = 0; i <= 1_024; i += 1) scene.reserve(`${i}`, 10);
  assertEquals(await scene.pass(), ["0"]);
  scene.reserve("last", 1);
  assertEquals(await scene.pass(), ["last: busy"]);
});

Deno.test("while a transfer waits, those that are more than a second later than at 64 KiB/s are aborted", async () => {
  using scene = new Scene();
  const inTime = scene.reserve("in time", 5);
  const late = scene.reserve("late", 5);
  inTime.advance(4 * 64 * KIB);
  late.advance(4 * 64 * KIB - 1);
  assertEquals(await scene.pass(4_975), ["in time", "late"]);
  scene.reserve("next", 10);
  assertEquals(await scene.pass(25), ["late aborted: busy"]);
  assertEquals(await scene.pass(25), ["in time aborted: busy", "next"]);
});

Deno.test("the oldest transfers are aborted first, and no more than the first that waits needs", async () => {
  using scene = new Scene();
  for (const name of ["a", "b", "c", "d", "e"]) scene.reserve(name, 2);
  await scene.pass(2_000);
  scene.reserve("next", 4);
  assertEquals(await scene.pass(25), [
    "a aborted: busy",
    "b aborted: busy",
    "next",
  ]);
});

Deno.test("a transfer whose client waits for the service is not aborted", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 10);
  // Its client was slow before.
  assertEquals(await scene.pass(5_000), ["a"]);
  a.stopClock();
  scene.reserve("b", 10);
  assertEquals(await scene.pass(9_000), []);
  a.startClock();
  assertEquals(await scene.pass(25), ["a aborted: busy", "b"]);
});

Deno.test("no timer is left, and nothing is aborted, when no transfer waits", async () => {
  using scene = new Scene();
  scene.reserve("a", 10);
  scene.reserve("b", 10);
  assertEquals(await scene.pass(1_050), ["a", "a aborted: busy", "b"]);
  assertEquals(scene.clock.countTimers(), 0);
  assertEquals(await scene.pass(100_000), []);
});

Deno.test("a transfer whose client disconnects while it waits makes room for the next", async () => {
  using scene = new Scene();
  const client = new AbortController();
  keepUp(scene.reserve("a", 5), 20_000);
  scene.reserve("gone", 10, client.signal);
  scene.reserve("b", 5);
  client.abort();
  assertEquals(await scene.pass(50), ["a", "gone: disconnected", "b"]);
});

Deno.test("a transfer that has reserved bytes never waits for more", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 8);
  scene.reserve("b", 4);
  const { signal } = new AbortController();
  await scene.budget.reserve(a, 12, { signal });
  assertEquals(await scene.pass(), ["a"]);
  scene.budget.release(a);
  assertEquals(await scene.pass(), ["b"]);
});

Deno.test("while the service stops, no transfer waits", async () => {
  using scene = new Scene();
  scene.reserve("a", 10);
  scene.reserve("b", 10);
  scene.isStopping = true;
  assertEquals(await scene.pass(25), ["a", "b: stopping"]);
});

Deno.test("a number of bytes that is no safe integer is refused, and spoils nothing", async () => {
  using scene = new Scene();
  const a = scene.reserve("a", 4);
  const odd = [NaN, -1, 0.5, Infinity, 2 ** 53];
  for (const bytes of odd) {
    const error = `bytes must be an integer of at least 0, got ${bytes}`;
    const { budget } = scene;
    assertThrows(() => budget.resize(a, bytes), RangeError, error);
    const other = new Transfer();
    assertThrows(() => budget.tryReserve(other, bytes), RangeError, error);
    const { signal } = new AbortController();
    const reserving = () => budget.reserve(other, bytes, { signal });
    await assertRejects(reserving, RangeError, error);
    budget.release(other);
  }
  scene.reserve("b", NaN);
  scene.reserve("c", 6);
  scene.reserve("waits", 10);
  scene.reserve("odd", NaN);
  assertEquals(await scene.pass(), [
    "a",
    "b: bytes must be an integer of at least 0, got NaN",
    "c",
    "odd: bytes must be an integer of at least 0, got NaN",
  ]);
});
