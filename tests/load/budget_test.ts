import { assertEquals } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import type { HttpError } from "../../lib/http/http_error.ts";
import { Budget, Transfer } from "../../lib/load/budget.ts";

const MIB = 1024 * 1024;

/** A limit of 32 MiB, of which bodies may take 4 and results 25.6. */
const LIMIT = 32 * MIB;

/** A budget, and a log of what happens to the transfers that reserve bytes in it. */
class Scene implements Disposable {
  /** The time stands still until a test lets it pass. */
  readonly clock = install({
    now: 1_000,
    toFake: ["setInterval", "clearInterval", "performance"],
  });
  readonly budget = new Budget(LIMIT, () => false);
  #log: string[] = [];

  /** Begins a transfer, which logs the status with which it is aborted. */
  begin(name: string): Transfer {
    const transfer = new Transfer();
    transfer.abort = ({ status }) =>
      this.#log.push(`${name} aborted ${status}`);
    return transfer;
  }

  /** Reserves bytes, and logs when they are there, or the status of the error. */
  reserve(
    name: string,
    mebibytes: number,
    { share = "bodies", transfer = this.begin(name), signal }: {
      share?: "bodies" | "results";
      transfer?: Transfer;
      signal?: AbortSignal;
    } = {},
  ): Transfer {
    this.budget.reserve(this.budget[share], transfer, {
      bytes: mebibytes * MIB,
      signal: signal ?? new AbortController().signal,
    }).then(() => {
      // The client begins to send or to read.
      if (transfer.start === Infinity) transfer.start = performance.now();
      this.#log.push(name);
    }, ({ status }: HttpError) => this.#log.push(`${name} ${status}`));
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

Deno.test("requests wait first in, first out, and one may exceed the limit", async () => {
  using scene = new Scene();
  const [a, b] = [scene.reserve("a", 3), scene.reserve("b", 3)];
  for (const name of ["c", "d", "e"]) scene.reserve(name, 1);
  assertEquals(await scene.pass(), ["a", "b"]);
  // One that would fit does not come before the others.
  assertEquals(scene.budget.tryReserve(scene.budget.bodies, a, 1), false);
  scene.budget.release(a);
  // "c" has room, and "d" exceeds the limit.
  assertEquals(await scene.pass(), ["c", "d"]);
  scene.budget.release(b);
  assertEquals(await scene.pass(), ["e"]);
});

Deno.test("a request that exceeds the limit keeps others waiting until it ends, also when it has stalled or been received", async () => {
  using scene = new Scene();
  const bodies = Array<number>(8).fill(4).map((size, i) => {
    const body = scene.reserve(`body ${i}`, size);
    body.held = size * MIB;
    body.moved = size * MIB;
    return body;
  });
  // Each of them stalls; then only the last one exceeds the limit of all.
  assertEquals((await scene.pass(1_000)).length, 8);
  const extra = scene.reserve("extra", 4);
  extra.moved = extra.held = 4 * MIB;
  scene.reserve("late", 4);
  assertEquals(await scene.pass(1_000), ["extra"]);
  // A result exceeds the limit, too.
  scene.reserve("result", 24, { share: "results" }).moved = 24 * MIB;
  assertEquals(await scene.pass(), ["result"]);
  scene.budget.release(extra, 2 * MIB);
  assertEquals(await scene.pass(1_000), []);
  scene.budget.release(extra);
  assertEquals(await scene.pass(), ["late"]);
  for (const body of bodies) scene.budget.release(body);
});

Deno.test("a request that has waited 10 s is rejected with 503", async () => {
  using scene = new Scene();
  for (const name of ["a", "extra"]) {
    scene.reserve(name, 24, { share: "results" }).moved = 24 * MIB;
  }
  scene.reserve("late", 24, { share: "results" });
  assertEquals(await scene.pass(9_900), ["a", "extra"]);
  assertEquals(await scene.pass(100), []);
  assertEquals(await scene.pass(50), ["late 503"]);
});

Deno.test("the 1,025th request that waits is rejected with 503 at once", async () => {
  using scene = new Scene();
  for (let i = 0; i < 1_026; i += 1) scene.reserve(`${i}`, 4);
  assertEquals(await scene.pass(), ["0", "1"]);
  scene.reserve("last", 4);
  assertEquals(await scene.pass(), ["last 503"]);
});

Deno.test("transfers that need a second more than at 64 KiB/s are aborted while a request waits, the oldest first, and no more than it needs", async () => {
  using scene = new Scene();
  const [exact, slower] = ["r1", "r2", "r3"].map((name) =>
    scene.reserve(name, 8, { share: "results" })
  );
  exact!.moved = 4 * 64 * 1024;
  slower!.moved = 4 * 64 * 1024 - 1;
  assertEquals(await scene.pass(4_975), ["r1", "r2", "r3"]);
  scene.reserve("extra", 8, { share: "results" });
  scene.reserve("next", 8, { share: "results" });
  assertEquals(await scene.pass(25), ["extra", "r2 aborted 503", "next"]);
  // No request waits any more.
  assertEquals(scene.clock.countTimers(), 0);
  assertEquals(await scene.pass(100_000), []);
});

Deno.test("a body whose client stalls makes room, and waits for it when its client comes back", async () => {
  using scene = new Scene();
  const stalled = scene.reserve("stalled", 4);
  stalled.moved = stalled.held = MIB / 16;
  const extra = scene.reserve("extra", 4);
  extra.moved = 4 * MIB;
  const other = scene.reserve("other", 4);
  other.moved = 4 * MIB;
  assertEquals(await scene.pass(), ["stalled", "extra"]);
  assertEquals(await scene.pass(200), ["other"]);
  assertEquals(stalled.reserved, MIB / 16);
  // The others have been received.
  extra.start = other.start = Infinity;
  // It comes back, before those that have not begun.
  scene.reserve("new", 4);
  scene.reserve("back", 3, { transfer: stalled });
  // The time for which it waits does not make it slow, but that before does.
  assertEquals(await scene.pass(5_000), []);
  scene.budget.release(extra);
  scene.budget.release(other);
  assertEquals((await scene.pass())[0], "back");
  assertEquals(performance.now() - stalled.start, 200);
});

Deno.test("a body that has stalled is aborted, too, while a request waits", async () => {
  using scene = new Scene();
  scene.reserve("stalled", 4).held = LIMIT;
  const extra = scene.reserve("extra", 4);
  extra.moved = extra.held = 4 * MIB;
  scene.reserve("next", 4);
  assertEquals(await scene.pass(1_000), ["stalled", "extra"]);
  assertEquals(await scene.pass(50), ["stalled aborted 503", "next"]);
});

Deno.test("a body that stalls, comes back and is released gives everything back", async () => {
  using scene = new Scene();
  const { budget } = scene;
  const first = scene.reserve("first", 4);
  first.held = MIB;
  const [extra, waiting] = [scene.reserve("e", 4), scene.reserve("w", 32)];
  assertEquals(await scene.pass(200), ["first", "e", "w"]);
  scene.reserve("back", 3, { transfer: first });
  budget.release(extra, MIB);
  for (const transfer of [extra, waiting]) budget.release(transfer);
  assertEquals(await scene.pass(), ["back"]);
  for (const transfer of [first, first]) budget.release(transfer);
  for (const share of [budget.bodies, budget.others]) {
    assertEquals(share.transfers.size, 0);
    const bytes = share === budget.bodies ? 4 * MIB : LIMIT - 4 * MIB;
    assertEquals(budget.tryReserve(share, scene.begin("all"), bytes), true);
    assertEquals(budget.tryReserve(share, scene.begin("more"), 1), false);
  }
});

Deno.test("a request whose client disconnects while it waits makes room for the next", async () => {
  using scene = new Scene();
  const client = new AbortController();
  for (const name of ["a", "extra"]) scene.reserve(name, 4).moved = 4 * MIB;
  scene.reserve("gone", 32, { signal: client.signal });
  client.abort();
  assertEquals(await scene.pass(50), ["a", "extra", "gone 499"]);
});
