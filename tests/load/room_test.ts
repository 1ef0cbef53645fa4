/** A limit that large requests share: who gets a part of it, and who waits how long. */

import { assert, assertEquals } from "@std/assert";
import { MAX_WAITING } from "../../lib/load/wait_queue.ts";
import {
  createLarge,
  createRoom,
  createTransfer,
  reserve,
  settle,
} from "./_load.ts";

Deno.test("requests that find no room wait, and the oldest is first", async () => {
  const room = createRoom(100);
  const [a, b, c, d] = Array.from({ length: 4 }, () => createLarge());
  const log: string[] = [];
  reserve(log, room, { holder: b!, amount: 80, name: "b" });
  reserve(log, room, { holder: d!, amount: 30, name: "d" });
  // It is younger than one that waits.
  assertEquals(room.tryReserve(createLarge(), 10), false);
  reserve(log, room, { holder: c!, amount: 30, name: "c" });
  reserve(log, room, { holder: a!, amount: 10, name: "a" });
  await settle();
  assertEquals([log.splice(0), room.waiting], [["b", "a"], 2]);
  room.release(b!);
  await settle();
  assertEquals([log, room.waiting], [["c", "d"], 0]);
  assertEquals(room.tryReserve(createLarge(), 30), true);
  assertEquals(room.tryReserve(createLarge(), 1), false);
});

Deno.test("a holder that has all the room may exceed it", async () => {
  const room = createRoom(100);
  const [a, b] = [createLarge(), createLarge()];
  assertEquals(room.tryReserve(a, 101), false);
  await room.reserve(a, 150);
  await room.reserve(a, 50);
  assertEquals(room.tryReserve(b, 1), false);
  room.release(a);
  assertEquals(room.tryReserve(b, 100), true);
});

Deno.test("the spare room is for one holder that can wait at a time, which never waits again", async () => {
  const room = createRoom(100, { spare: 40 });
  const [a, b, c] = [createLarge(), createLarge(), createLarge()];
  const log: string[] = [];
  assert(room.tryReserve(a, 30) && room.tryReserve(b, 30));
  assert(room.tryReserve(b, 20));
  reserve(log, room, { holder: a, amount: 20, name: "a" });
  assert(!room.tryReserve(c, 1) && room.tryReserve(b, 20));
  await settle();
  assertEquals(log, []);
  room.release(b);
  await settle();
  assertEquals(log, ["a"]);
  assert(room.tryReserve(c, 10) && room.tryReserve(c, 40));
  assertEquals(room.tryReserve(a, 1), false);
});

Deno.test("the holder that uses the spare room is first, also before older ones", async () => {
  const room = createRoom(100, { spare: 40 });
  const older = createLarge();
  const firm = { ...createTransfer(0), canWait: false };
  const user = createLarge();
  const log: string[] = [];
  assert(room.tryReserve(older, 30) && room.tryReserve(user, 40));
  assert(room.tryReserve(firm, 30));
  reserve(log, room, { holder: older, amount: 10, name: "older" });
  reserve(log, room, { holder: user, amount: 20, name: "user" });
  await settle();
  assertEquals(log, []);
  room.release(firm);
  await settle();
  assertEquals(log, ["user"]);
});

Deno.test("holders that cannot wait share the spare room with one that can", () => {
  const room = createRoom(100, { spare: 40 });
  const createFirm = () => ({ ...createTransfer(0), canWait: false });
  const [a, b, c] = [createFirm(), createLarge(), createFirm()];
  assert(room.tryReserve(a, 70) && room.tryReserve(b, 10));
  assert(room.tryReserve(a, 5) && room.tryReserve(c, 15));
  assert(!room.tryReserve(a, 1) && !room.tryReserve(b, 1));
});

Deno.test("while others keep the shared room, one holder at a time begins in the spare one", () => {
  const room = createRoom(100, { spare: 40 });
  const create = (outstanding: number) => ({
    ...createTransfer(0),
    outstanding,
  });
  const [large, first, second] = [create(41), create(40), create(10)];
  assert(room.tryReserve(createLarge(), 50));
  assert(!room.tryReserve(large, 1) && room.tryReserve(first, 5));
  first.outstanding = 35;
  assert(!room.tryReserve(second, 1) && room.tryReserve(first, 35));
  room.release(first);
  assert(room.tryReserve(second, 1));
});

Deno.test("a room lends what is free, except its spare part, while no request waits", async () => {
  const [body, other] = [createLarge(), createLarge()];
  const spare = createRoom(100, { spare: 40 });
  assert(!spare.tryLend(body, 61) && spare.tryLend(body, 60));
  const room = createRoom(100);
  const result = createTransfer(3_000);
  assert(room.tryReserve(body, 30) && room.tryLend(result, 50));
  const waiting = room.reserve(other, 40);
  assert(!result.isAborted && !room.tryLend(createLarge(), 10));
  await waiting;
  assert(result.isAborted && room.tryLend(createLarge(), 30));
});

Deno.test("a request whose client disconnects leaves the queue, also behind others", async () => {
  const room = createRoom(1);
  const client = new AbortController();
  const [holder, first] = [createLarge(), createLarge()];
  const second = createLarge(client.signal);
  const log: string[] = [];
  assert(room.tryReserve(holder, 1));
  reserve(log, room, { holder: first, amount: 1, name: "first" });
  const leaving = reserve(log, room, { holder: second, amount: 1, name: "b" });
  client.abort();
  await leaving;
  assertEquals([log, room.waiting], [["b: 499"], 1]);
  room.release(holder);
});

Deno.test("slow transfers are aborted, oldest first, while a request waits", async () => {
  const room = createRoom(100);
  const slow = createTransfer(3_000, 65_536);
  const later = createTransfer(1_500);
  const steady = createTransfer(3_000, 200_000);
  const young = createTransfer(500);
  const holders = [steady, slow, later, young];
  for (const holder of holders) assert(room.tryReserve(holder, 25));
  await room.reserve(createLarge(), 20);
  assertEquals(
    holders.map(({ isAborted }) => isAborted),
    [false, true, false, false],
  );
  await room.reserve(createLarge(), 25);
  assertEquals(
    holders.map(({ isAborted }) => isAborted),
    [false, true, true, false],
  );
});

Deno.test("a request waits 10 s in all, not behind too many, not while stopping, and not without its client", async () => {
  let isStopping = false;
  const room = createRoom(1, { isStopping: () => isStopping });
  const holder = createLarge();
  assert(room.tryReserve(holder, 1));
  const log: string[] = [];
  const late = createLarge();
  late.waitedMs = 10_000;
  const gone = new AbortController();
  const waiting = [
    reserve(log, room, { holder: late, amount: 1, name: "late" }),
    reserve(log, room, {
      holder: createLarge(gone.signal),
      amount: 1,
      name: "gone",
    }),
  ];
  gone.abort();
  await Promise.all(waiting);
  assertEquals(log.splice(0), ["late: 503", "gone: 499"]);
  const many = Array.from(
    { length: MAX_WAITING + 1 },
    () =>
      reserve(log, room, { holder: createLarge(), amount: 1, name: "many" }),
  );
  await settle();
  assertEquals(log.splice(0), ["many: 503"]);
  // It has a part of the room already, so others wait for it.
  const more = reserve(log, room, { holder, amount: 1, name: "more" });
  await more;
  assertEquals(log.splice(0), ["more"]);
  isStopping = true;
  const { checks } = room;
  await Promise.all(many);
  assertEquals(room.checks, checks + 1);
  assertEquals(log, Array(MAX_WAITING).fill("many: 503"));
});
