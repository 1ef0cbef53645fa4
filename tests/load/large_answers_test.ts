/** Large answers and long computations of one thread, in process, while the time stands still. */

import { setImmediate } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Compute,
  DEFAULT_BODY_LIMITS,
  type ServeInfo,
} from "../../lib/http/body.ts";
import { createAdmission } from "../../lib/load/mod.ts";
import { LoadError } from "../../lib/operation/context.ts";
import { createHandler } from "../../routes/mod.ts";
import type { Bytes } from "../../lib/values/buffer.ts";
import { replace } from "../_replace.ts";
import { within } from "../_within.ts";
import { settle, Thread } from "./_small_thread.ts";

const MIB = 1024 * 1024;

/** Makes an answer of some mebibytes. */
function makeAnswer(mebibytes: number): object {
  return { text: "a".repeat(mebibytes * MIB) };
}

/** Whether a promise resolves without further data. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const over = settle().then(() => false);
  return await Promise.race([promise.then(() => true), over]);
}

/** Counts the rounds of the event loop until disposal. */
class Rounds implements Disposable {
  count = 0;
  #isOver = false;

  constructor() {
    this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await setImmediate();
      this.count += 1;
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
  }
}

Deno.test("an answer is computed once, although it waits for room", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  let count = 0;
  const sending = Array.from({ length: 3 }, () =>
    thread.answer(() => {
      count += 1;
      return makeAnswer(5);
    }));
  // One after the other, as each is read.
  for (const response of sending) {
    assertEquals((await (await response).json()).text.length, 5 * MIB);
  }
  assertEquals(count, 3);
});

Deno.test("an answer of a known size is not made before there is room for it", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(5));
  let isMade = false;
  const waiting = thread.answer(async (_body, pause) => {
    await pause(5 * MIB);
    isMade = true;
    return makeAnswer(5);
  });
  assertEquals(await isSettled(waiting), false);
  assertEquals(isMade, false);
  await unread.body?.cancel();
  assertEquals((await (await waiting).json()).text.length, 5 * MIB);
});

Deno.test("an answer gives back its room as it is read, and when it fails or has been sent", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const failing = thread.answer(async (_body, pause) => {
    await pause(8 * MIB);
    throw new Error("failed");
  });
  await failing.catch(() => {});
  const completed = Promise.resolve();
  function send(info: ServeInfo): Promise<Response> {
    const answering = thread.answer(() => makeAnswer(0.4), { info });
    return within(answering, "memory for an answer", { limitMs: 20_000 });
  }
  for (let i = 0; i < 50; i += 1) {
    await send({ completed });
    // Other servers do not tell when a response has been sent.
    await (await send({})).text();
  }
  const response = await thread.answer(() => makeAnswer(7));
  const reader = response.body!.getReader();
  let received = 0;
  while (received < 5 * MIB) {
    received += (await reader.read()).value!.byteLength;
  }
  assertEquals(await isSettled(thread.answer(() => makeAnswer(5))), true);
  await reader.cancel();
});

Deno.test("an answer that cannot be cut into parts, for lack of memory, gives its room back", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const error = new RangeError("Array buffer allocation failed");
  {
    using _ = replace(Uint8Array.prototype as Pick<Uint8Array, "slice">, {
      slice() {
        throw error;
      },
    });
    await assertRejects(() => thread.answer(() => makeAnswer(5)), RangeError);
  }
  const answering = thread.answer(() => makeAnswer(5));
  assertEquals(await isSettled(answering), true);
  await (await answering).body?.cancel();
});

Deno.test("large requests compute one after the other, with pauses in which others are answered", async () => {
  let now = 1_000;
  using _ = replace(performance, { now: () => now });
  const thread = new Thread();
  const turns: number[] = [];
  using rounds = new Rounds();
  const compute: Compute = async (_body, pause) => {
    turns.push(rounds.count);
    now += 10;
    await pause();
    turns.push(rounds.count);
    now += 10;
    return {};
  };
  const answers = Array.from(
    { length: 3 },
    () => thread.answer(compute, { size: 100_000 }),
  );
  await within(Promise.all(answers), "three answers");
  const between = turns.slice(1).map((turn, i) => turn - turns[i]!);
  assert(between.every((count) => count > 122), `${between}`);
});

Deno.test("a computation that finds no room fails", async () => {
  let now = 1_000;
  using _ = replace(performance, { now: () => now });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(5));
  const waiting = thread.answer(async (_body, pause) => {
    await pause(5 * MIB);
    return {};
  });
  const failing = assertRejects(() => waiting, LoadError, "busy");
  await settle();
  now += 10_001;
  await failing;
  await unread.body?.cancel();
});

Deno.test("four small requests with results of 8 MiB are computed in four rounds of the event loop", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const isStopping = () => false;
  const isEnding = () => false;
  const shutdown = { isStopping, isEnding };
  const options = { ...DEFAULT_BODY_LIMITS, ...shutdown, threads: 1 };
  const handler = createHandler({ admit: createAdmission(options) });
  const input = "[".repeat(2_000) + "]".repeat(2_000);
  const body = JSON.stringify({ action: "format", input });
  using rounds = new Rounds();
  const answers = Array.from({ length: 4 }, async () => {
    const init = { method: "POST", headers: { host: "h" }, body };
    const response = await handler(new Request("http://h/api/json", init));
    const ready = rounds.count;
    await response.body!.cancel();
    return ready;
  });
  const ready = await within(Promise.all(answers), "four answers");
  assertEquals(new Set(ready).size, 4, `${ready}`);
});

Deno.test("the memory of a body is free while its answer waits for room", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const thread = new Thread();
  const unread = await thread.answer(() => makeAnswer(7));
  let bytes: Bytes | undefined;
  const waiting = thread.answer((body) => {
    bytes = body;
    return makeAnswer(2);
  }, { size: 10_000 });
  assertEquals(await isSettled(waiting), false);
  assertEquals(bytes?.byteLength, 0);
  await unread.body?.cancel();
  await (await waiting).body?.cancel();
});

Deno.test("the memory of bytes above 64 KiB is free when they are sent", async () => {
  const thread = new Thread();
  for (const size of [100_000, 500_000]) {
    const bytes = new Uint8Array(size).fill(0x20);
    const response = await thread.answer(() => bytes);
    assertEquals(bytes.byteLength, 0);
    assertEquals(await response.text(), " ".repeat(size));
  }
});

Deno.test("an answer may be the body itself", async () => {
  const thread = new Thread();
  for (const size of [100, 100_000, 500_000]) {
    for (
      const echo of [(body: Bytes) => body, (body: Bytes) => new Response(body)]
    ) {
      const response = await thread.answer(echo, { size });
      assertEquals(await response.text(), " ".repeat(size));
    }
  }
});
