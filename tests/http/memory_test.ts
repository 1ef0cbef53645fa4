import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  GRACE_MS,
  MAX_AT_ONCE_BYTES,
  MAX_CLAIMED_BYTES,
  Memory,
  MIN_BYTES_PER_SECOND,
  SMALL_BYTES,
  type Transfer,
} from "../../lib/http/memory.ts";
import { stopClock } from "../_clock.ts";

/** A transfer that notes whether it was given up. */
class TestTransfer implements Transfer {
  readonly startTime = performance.now();
  movedBytes = 0;
  givenUp = 0;

  get isGivenUp(): boolean {
    return this.givenUp > 0;
  }

  giveUp(): void {
    this.givenUp += 1;
  }
}

Deno.test("the bounds are those that the documentation names", () => {
  assertEquals(
    {
      SMALL_BYTES,
      MAX_AT_ONCE_BYTES,
      MAX_CLAIMED_BYTES,
      MIN_BYTES_PER_SECOND,
      GRACE_MS,
    },
    {
      SMALL_BYTES: 32_768,
      MAX_AT_ONCE_BYTES: 131_072,
      MAX_CLAIMED_BYTES: 16_777_216,
      MIN_BYTES_PER_SECOND: 65_536,
      GRACE_MS: 1_000,
    },
  );
});

Deno.test("claim() gives 16 MiB in all, 128 KiB at a time, and takes them back", () => {
  const memory = new Memory(0);
  assert(!memory.claim(131_073));
  for (let i = 0; i < 128; i += 1) assert(memory.claim(131_072));
  assert(!memory.claim(1));
  memory.unclaim(131_072);
  assert(memory.claim(131_071));
  assert(memory.claim(1));
  assert(!memory.claim(1));
});

Deno.test("hold() counts up to its bound, inclusive, and changes nothing beyond", () => {
  const memory = new Memory(100);
  const first = new TestTransfer();
  const second = new TestTransfer();
  assert(memory.hold(first, 60));
  assert(memory.hold(second, 40));
  assert(!memory.hold(second, 41));
  assert(!memory.hold(new TestTransfer(), 1));
  // What is held now replaces what was held before.
  assert(memory.hold(first, 50));
  assert(memory.hold(second, 50));
  memory.release(first);
  memory.release(first);
  assert(memory.hold(new TestTransfer(), 50));
  assert(!memory.hold(new TestTransfer(), 1));
});

Deno.test("hold() gives up who is too slow, the oldest first, and no more than it must", async () => {
  using clock = stopClock();
  const memory = new Memory(100);
  const transfers = Array.from({ length: 4 }, () => new TestTransfer());
  for (const transfer of transfers) assert(memory.hold(transfer, 25));
  await clock.pass(GRACE_MS + 1_000);
  transfers[0]!.movedBytes = MIN_BYTES_PER_SECOND;
  assert(memory.hold(new TestTransfer(), 26));
  assertEquals(
    transfers.map(({ isGivenUp }) => isGivenUp),
    [false, true, true, false],
  );
  // One was given up for the byte too many: there is room again.
  assert(memory.hold(new TestTransfer(), 24));
  assert(!transfers[3]!.isGivenUp);
});

Deno.test("hold() gives up nobody where that would not be enough", async () => {
  using clock = stopClock();
  const memory = new Memory(100);
  const slow = new TestTransfer();
  const fast = new TestTransfer();
  memory.hold(slow, 40);
  memory.hold(fast, 60);
  await clock.pass(60_000);
  fast.movedBytes = 60 * MIN_BYTES_PER_SECOND;
  assert(!memory.hold(new TestTransfer(), 41));
  assert(!slow.isGivenUp);
  assert(memory.hold(new TestTransfer(), 40));
  assert(slow.isGivenUp);
});

Deno.test("makeRoom() gives up who is too slow, and leaves free what it finds", async () => {
  using clock = stopClock();
  const memory = new Memory(100);
  const slow = new TestTransfer();
  const fast = new TestTransfer();
  memory.hold(slow, 40);
  memory.hold(fast, 50);
  assert(memory.makeRoom(10));
  assert(!memory.makeRoom(11));
  await clock.pass(60_000);
  fast.movedBytes = 60 * MIN_BYTES_PER_SECOND;
  assert(memory.makeRoom(10));
  assert(!memory.makeRoom(51));
  assert(!slow.isGivenUp);
  assert(memory.makeRoom(50));
  assert(slow.isGivenUp);
  assert(memory.hold(new TestTransfer(), 50));
});

Deno.test("hold() gives up nobody twice", async () => {
  using clock = stopClock();
  const memory = new Memory(100);
  const slow = new TestTransfer();
  memory.hold(slow, 40);
  await clock.pass(60_000);
  for (let i = 0; i < 2; i += 1) {
    const newcomer = new TestTransfer();
    assert(memory.hold(newcomer, 100));
    memory.release(newcomer);
  }
  assertEquals(slow.givenUp, 1);
});

Deno.test("nobody is too slow in the first second, nor at 64 KiB a second, nor for itself", async (t) => {
  const rows = [
    ["nothing after a second", 1_000, 0, false],
    ["nothing after a second and a bit", 1_001, 0, true],
    ["64 KiB after two seconds", 2_000, 65_536, false],
    ["a byte less", 2_000, 65_535, true],
    ["3,776 KiB after a minute", 60_000, 59 * 65_536, false],
    ["a byte less than that", 60_000, 59 * 65_536 - 1, true],
  ] as const;
  for (const [name, milliseconds, movedBytes, isGivenUp] of rows) {
    await t.step(name, async () => {
      using clock = stopClock();
      const memory = new Memory(100);
      const transfer = new TestTransfer();
      memory.hold(transfer, 100);
      await clock.pass(milliseconds);
      transfer.movedBytes = movedBytes;
      assert(!memory.hold(transfer, 101));
      assert(!transfer.isGivenUp);
      assertEquals(memory.hold(new TestTransfer(), 1), isGivenUp);
      assertEquals(transfer.isGivenUp, isGivenUp);
    });
  }
});

Deno.test("what is held never exceeds the bound, whatever happens, and all of it comes back", () => {
  const steps = fc.array(
    fc.record({
      transfer: fc.nat({ max: 5 }),
      bytes: fc.nat({ max: 60 }),
      isRelease: fc.boolean(),
      movedBytes: fc.constantFrom(0, Infinity),
    }),
    { maxLength: 60 },
  );
  fc.assert(fc.property(steps, (steps) => {
    const memory = new Memory(100);
    const held = new Map<number, number>();
    const transfers = Array.from({ length: 6 }, (_, i) => ({
      startTime: -60_000,
      movedBytes: 0,
      giveUp: () => void held.delete(i),
    }));
    for (const { transfer, bytes, isRelease, movedBytes } of steps) {
      transfers[transfer]!.movedBytes = movedBytes;
      if (isRelease) {
        memory.release(transfers[transfer]!);
        held.delete(transfer);
      } else if (memory.hold(transfers[transfer]!, bytes)) {
        held.set(transfer, bytes);
      }
      const sum = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
      assert(sum <= 100, `${sum} bytes are held`);
    }
    for (const transfer of transfers) memory.release(transfer);
    const last = { startTime: 0, movedBytes: Infinity, giveUp() {} };
    assert(memory.hold(last, 100));
    assert(!memory.hold({ ...last }, 1));
  }));
});
