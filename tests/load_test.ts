/** Load control in process: the budget, the scheduler, results and bodies. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Budget, getThreadBytes, type Transfer } from "../lib/load/budget.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { createHandler } from "../routes/mod.ts";
import { call } from "./_client.ts";
import { createExchange } from "./_matrix.ts";

Deno.test("the budget aborts slow transfers, oldest first, or rejects", () => {
  const budget = new Budget(100);
  let log = "";
  function create(name: string, age: number, movedBytes = 0): Transfer {
    const startTime = performance.now() - age;
    return { startTime, movedBytes, abort: () => log += name };
  }
  function reserve(transfer: Transfer, bytes: number): void {
    try {
      budget.reserve(transfer, bytes);
    } catch {
      log += "-";
    }
  }
  const [slow, added] = [create("1", 3_000, 65_536), create("", 0)];
  const [last, young] = [create("3", 1_100), create("", 500)];
  const all = [slow, create("2", 1_500), last, create("", 3_000, 2e5), young];
  for (const transfer of all) reserve(transfer, 20);
  for (const bytes of [61, 30, 40]) reserve(added, bytes);
  reserve(last, 21);
  for (const each of [added, added]) budget.release(each);
  reserve(young, 80);
  reserve(added, 1);
  assertEquals(log, "-12-3-");
  const limits = [1, 2, 64].map((threads) => getThreadBytes(1e7, threads));
  assertEquals(limits, [67_108_864, 33_554_432, 20_000_000]);
});

Deno.test("large work runs in turn, in slices, until its client disconnects", async () => {
  const scheduler = new Scheduler();
  const gone = { signal: AbortSignal.abort() };
  let log = "";
  function* work(name: string) {
    for (let i = 0; i < 3; i += 1) {
      log += name;
      scheduler.noteSmallRequest();
      for (const end = performance.now() + 3; performance.now() < end;);
      yield;
    }
    return name;
  }
  const timer = setInterval(() => log += "-", 0);
  const start = performance.now();
  const results = [..."abc"].map(async (name) => {
    const request = new Request("http://h", name === "b" ? gone : {});
    const result = await scheduler.run(request, work(name));
    return name === "a" ? await scheduler.run(request, work("A")) : result;
  }).map((result) => result.catch(({ status }) => status));
  assertEquals(await Promise.all(results), ["A", 499, "c"]);
  clearInterval(timer);
  // Steps of 3 ms take 27 ms, and the pauses for small requests more than that.
  assert(performance.now() - start > 50, "it does not pause");
  assertMatch(log, /^abc-+a-+a-+c?A-+A-+A-+(c-+){1,2}$/);
});

Deno.test("a result whose last page has one byte comes whole, and counts until it has left", async () => {
  const handler = createHandler({ threads: 64 });
  const input = `${"[".repeat(2e3)}"${"a".repeat(374_174)}"${"]".repeat(2e3)}`;
  const result = JSON.stringify(JSON.parse(input), null, 2);
  const body = JSON.stringify({ action: "format", input });
  const request = new Request("http://h/api/json", { method: "POST", body });
  const ask = async (info = {}) => await handler(request.clone(), info);
  const broken = { method: "POST", body: body.replace(']"', '}"'), handler };
  const readFirst = async () => (await held.shift()!.json()).result === result;
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  await (await ask({ completed })).text();
  const held: Response[] = [];
  for (const leave of [resolve, readFirst, () => held.pop()!.body!.cancel()]) {
    assertEquals((await ask()).status, 503);
    assert(await leave() ?? true);
    assertEquals((await call("/api/json", broken)).status, 400);
    held.push(await ask());
    assertEquals(held.at(-1)!.status, 200);
  }
});

Deno.test("16 MiB of bodies are received at a time by one of many threads", async () => {
  const handler = createHandler({ threads: 64 });
  const { path, bytes: body } = createExchange(0, 1_000_000);
  for (const headers of [{}, { "content-length": "1000000" }]) {
    const init = { method: "POST", body, headers, handler };
    const sending = Array.from({ length: 20 }, () => call(path, init));
    const answers = await Promise.all(sending);
    const times = answers.map(({ headers }) => headers.get("retry-after"));
    assertEquals(times.join(""), "1111");
  }
});

Deno.test("a body is read exactly unless it comes in very many tiny chunks", async () => {
  for (const length of [100, 32_768, 32_769, 245_760, 245_775, 262_160]) {
    const { path, bytes, expected } = createExchange(0, length);
    for (const size of [15, 16, 1_000, 32_768, length]) {
      const starts = Array(Math.ceil(length / size)).keys();
      const cut = (i: number) => bytes.slice(size * i, size * i + size);
      const body = size < length
        ? ReadableStream.from(starts.map(cut))
        : new Blob([bytes]).stream();
      const headers = { "content-length": `${size}` }; // Mostly wrong.
      const answer = await call(path, { method: "POST", body, headers });
      if (size === 15 && length > 245_760) assertEquals(answer.status, 400);
      else assertEquals(answer.body, expected);
    }
  }
});
