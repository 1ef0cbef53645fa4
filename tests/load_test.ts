/** Load control in process: the budget, the scheduler, results and bodies. */

import { assert, assertEquals } from "@std/assert";
import { Budget, type Transfer } from "../lib/load/budget.ts";
import { Deadlines } from "../lib/load/deadlines.ts";
import { sendWritten } from "../lib/load/response.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { createHandler } from "../routes/mod.ts";
import { checkAnswer } from "./_client.ts";
import { createExchange } from "./_matrix.ts";

const NEVER = new Promise<void>(() => {});
const request = new Request("http://h");

/** Reserves bytes, or releases them for 0; returns 503 if there is no room. */
function reserve(budget: Budget, transfer: Transfer, bytes: number) {
  try {
    if (bytes === 0) budget.release(transfer);
    else budget.reserve(transfer, bytes);
    return 200;
  } catch (error) {
    return (error as Response).status;
  }
}

Deno.test("the budget aborts slow transfers, oldest first, or rejects", () => {
  const budget = new Budget(100);
  let aborted = "";
  function create(name: string, age: number, movedBytes = 0): Transfer {
    const startTime = performance.now() - age;
    return { startTime, movedBytes, abort: () => aborted += name };
  }
  const transfers = [
    create("a", 3_000, 196_608),
    create("b", 1_500),
    create("c", 500),
    create("d", 3_000, 65_536),
    create("e", 1_100),
    create("f", 0),
  ];
  for (const transfer of transfers.slice(0, 5)) reserve(budget, transfer, 20);
  const rows = [
    [5, 61, ""],
    [5, 30, "bd"],
    [5, 40, "bd"],
    [4, 21, "bd"],
    [5, 0, "bd"],
    [2, 60, "bd"],
    [0, 40, "bde"],
  ] as const;
  const statuses = rows.map(([index, bytes, expected]) => {
    const status = reserve(budget, transfers[index]!, bytes);
    assertEquals(aborted, expected);
    return status;
  });
  assertEquals(statuses, [503, 200, 200, 503, 200, 200, 200]);
});

Deno.test("large work runs in slices, first in first out, until its client disconnects", async () => {
  const scheduler = new Scheduler();
  const gone = new AbortController();
  let log = "";
  function* work(name: string) {
    for (let i = 0; i < 3; i += 1) {
      log += name;
      const end = performance.now() + 3;
      while (performance.now() < end);
      yield;
    }
    if (name === "d") throw { status: name };
    return name;
  }
  const timer = setInterval(() => log += log.endsWith("-") ? "" : "-", 0);
  const results = [..."abcd"].map(async (name) =>
    await scheduler.run(
      new Request(request, name === "b" ? gone : {}),
      work(name),
    )
  );
  gone.abort();
  const settled = await Promise.all(
    results.map((result) => result.catch((error) => error.status)),
  );
  clearInterval(timer);
  assertEquals([log, ...settled], ["abcd-a-a-c-c-d-d-", "a", 499, "c", "d"]);
});

Deno.test("a result is counted until it has left, and aborted if it does not", async () => {
  const budget = new Budget(500_000);
  const load = {
    request,
    budget,
    scheduler: new Scheduler(),
    deadlines: new Deadlines(),
    maxBodyBytes: 1,
    bodyTimeoutMs: 1,
  };
  const text = "0123456789".repeat(20_000);
  const ask = (info = {}) =>
    sendWritten({ ...load, info }, {
      sourceBytes: 1,
      *write(output) {
        for (let i = 0; i < text.length; i += 10_000) {
          output.write(text.slice(i, i + 10_000));
          if (output.isFull) yield;
        }
      },
    }).catch((error) => error as Response);
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  await ask({ completed });
  const held = [await ask()];
  const endings = [
    async () => assertEquals(await held[0]!.text(), text),
    () => held[0]!.body!.cancel(),
    resolve,
  ];
  for (const end of endings) {
    assertEquals((await ask()).status, 503);
    await end();
    held.unshift(await ask());
    assertEquals(held[0]!.status, 200);
  }
  const { now } = performance;
  performance.now = () => now.call(performance) + 5_000;
  assertEquals((await ask()).status, 200);
  performance.now = now;
  // The older one.
  assert((await held[1]!.text()).length < text.length);
});

function inChunks(bytes: Uint8Array, size: number) {
  const starts = Array(Math.ceil(bytes.length / size)).keys();
  return ReadableStream.from(
    starts.map((i) => bytes.slice(i * size, (i + 1) * size)),
  );
}

/** Sends a body in process, with its length if given. */
async function send(
  body: BodyInit,
  length?: number,
  handler = createHandler(),
  info = {},
) {
  const headers = new Headers(length ? { "content-length": `${length}` } : []);
  const request = new Request("http://h/api/hash", {
    method: "POST",
    body,
    headers,
  });
  return await checkAnswer(await handler(request, info));
}

Deno.test("16 MiB of bodies are received at a time by one of many threads", async () => {
  const handler = createHandler({ threads: 64 });
  const { bytes } = createExchange(0, 1_000_000);
  for (const length of [undefined, 1_000_000]) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(bytes, length, handler)),
    );
    const rejected = answers.filter(({ status }) => status === 503);
    assertEquals(rejected.map(({ headers }) => headers.get("retry-after")), [
      "1",
      "1",
      "1",
      "1",
    ]);
  }
});

Deno.test("a body may take longer at 64 KiB/s, but must not break off", async () => {
  const handler = createHandler({ bodyTimeoutMs: 1 });
  for (const length of [100, 30_000, 200_000]) {
    const { bytes } = createExchange(0, length);
    for (const status of [length === 100 ? 408 : 200, 400]) {
      for (const info of [{}, { completed: NEVER }]) {
        const body = ReadableStream.from(async function* () {
          yield bytes.slice(0, length / 2);
          await new Promise((resolve, reject) =>
            status === 400 ? reject() : setTimeout(resolve, 40)
          );
          yield bytes.slice(length / 2);
        }());
        assertEquals((await send(body, length, handler, info)).status, status);
      }
    }
  }
});

Deno.test("more than 16,384 chunks of fewer than 16 bytes are rejected", async () => {
  const rows = [[16_384, 1, 200], [16_385, 15, 400], [16_385, 16, 200]];
  for (const [count = 0, size = 0, status] of rows) {
    const { bytes } = createExchange(0, count * size);
    assertEquals((await send(inChunks(bytes, size))).status, status);
  }
});

Deno.test("a body is read exactly, however it arrives", async () => {
  for (const length of [100, 32_768, 32_769, 200_000]) {
    const { bytes, expected } = createExchange(0, length);
    for (const claim of [undefined, 5, length]) {
      for (const size of [1_000, 32_768, 200_000, 0]) {
        const body = size === 0
          ? new Blob([bytes]).stream()
          : inChunks(bytes, size);
        assertEquals((await send(body, claim)).body, expected);
      }
    }
  }
});
