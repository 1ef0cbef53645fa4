import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  answerJson,
  answerWritten,
  type Delivery,
  type Write,
} from "../../lib/http/answer.ts";
import { HttpError } from "../../lib/http/errors.ts";
import { MAX_CLAIMED_BYTES, Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { type JsonWriter } from "../../lib/json/writer.ts";
import { stopClock } from "../_clock.ts";
import { HeldTurns } from "./_turns.ts";

const turns = new Turns();

/** A server that tells when the answer has gone. */
function createInfo() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { completed: promise, leave: resolve, fail: reject };
}

/** Whether nothing is held that could hold so many bytes. */
function isFree(memory: Memory, bytes: number): boolean {
  const newcomer = { startTime: 0, movedBytes: Infinity, giveUp() {} };
  const isFree = memory.hold(newcomer, bytes);
  memory.release(newcomer);
  return isFree;
}

/** A value whose JSON has so many bytes. */
function ofLength(bytes: number): string {
  return "x".repeat(bytes - 2);
}

/** Writes a JSON string of so many bytes, a thousand at a time. */
function writeString(bytes: number): Write {
  return function* write(output) {
    output.write('"');
    for (let left = bytes - 2; left > 0; left -= 1_000) {
      output.write("y".repeat(Math.min(left, 1_000)));
      if (output.isFull) yield;
    }
    output.write('"');
  };
}

/** Answers of so many bytes, made in each of the ways. */
const WAYS: Record<
  string,
  (bytes: number, delivery: Delivery) => Promise<Response>
> = {
  // What is thrown at once must be caught like what is thrown later.
  "answerJson()": async (bytes, delivery) =>
    await answerJson(ofLength(bytes), delivery),
  "answerWritten()": (bytes, delivery) =>
    answerWritten(writeString(bytes), { sourceBytes: bytes, delivery }),
};

const TOO_BUSY = new HttpError(
  503,
  "too many large answers are being sent, please try again",
  { "retry-after": "1" },
);

for (const [way, answer] of Object.entries(WAYS)) {
  Deno.test(`${way} answers with all of the text, whatever its length`, async () => {
    const info = createInfo();
    for (const delivery of [{ info }, {}]) {
      for (
        const bytes of [
          2,
          32_768,
          32_769,
          49_152,
          65_536,
          65_537,
          131_072,
          131_073,
          196_608,
          1_000_000,
          2_097_152,
          2_097_153,
          5_000_000,
        ]
      ) {
        const memory = new Memory(20_000_000);
        const response = await answer(bytes, { turns, memory, ...delivery });
        assertEquals(response.status, 200);
        assertEquals(response.headers.get("content-type"), "application/json");
        const length = response.headers.get("content-length");
        // The runtime adds it to what goes at once.
        assertEquals(
          length,
          bytes <= 131_072 && length === null ? null : String(bytes),
        );
        const pieces = await Array.fromAsync(response.body!);
        assert(pieces.every(({ byteLength }) => byteLength > 0));
        const text = await new Blob(pieces).text();
        assertEquals(text.length, bytes);
        assert(/^"(x*|y*)"$/.test(text));
      }
    }
  });

  Deno.test(`${way} answers with up to 32 KiB although there is no room at all`, async () => {
    const memory = new Memory(0);
    memory.claim(MAX_CLAIMED_BYTES);
    const text = await (await answer(32_768, { turns, memory })).text();
    assertEquals(text.length, 32_768);
    await assertTooBusy(answer(32_769, { turns, memory }));
  });

  Deno.test(`${way} claims up to 128 KiB until the answer has left or failed`, async () => {
    for (const end of ["leave", "fail"] as const) {
      const memory = new Memory(0);
      const info = createInfo();
      await answer(131_072, { turns, memory, info });
      for (let i = 1; i < 128; i += 1) assert(memory.claim(131_072));
      assert(!memory.claim(1), "it has claimed what it takes");
      info[end]();
      await Promise.resolve();
      assert(memory.claim(131_072), "it has returned what it claimed");
      assert(!memory.claim(1));
    }
  });

  Deno.test(`${way} holds an answer above 128 KiB until it has left or failed`, async () => {
    for (const end of ["leave", "fail"] as const) {
      const memory = new Memory(300_000);
      const info = createInfo();
      const response = await answer(131_073, { turns, memory, info });
      assert(isFree(memory, 300_000 - 131_073));
      assert(!isFree(memory, 300_000 - 131_072));
      // That all has been asked for does not mean that it has left.
      await response.bytes();
      assert(!isFree(memory, 300_000 - 131_072));
      info[end]();
      await Promise.resolve();
      assert(isFree(memory, 300_000));
    }
  });

  Deno.test(`${way} holds an answer, where no server tells, until all is asked for`, async () => {
    const memory = new Memory(300_000);
    const { body } = await answer(131_073, { turns, memory });
    const reader = body!.getReader();
    for (let received = 0; received < 131_073;) {
      assert(!isFree(memory, 300_000 - 131_072));
      received += (await reader.read()).value!.byteLength;
    }
    assert((await reader.read()).done);
    assert(isFree(memory, 300_000));
  });

  Deno.test(`${way} holds nothing for a client that has gone`, async () => {
    const memory = new Memory(300_000);
    const info = createInfo();
    await (await answer(131_073, { turns, memory, info })).body!.cancel();
    assert(isFree(memory, 300_000));
  });

  Deno.test(`${way} ends an answer early that is taken too slowly when others need room`, async () => {
    using clock = stopClock();
    const memory = new Memory(way === "answerJson()" ? 200_000 : 350_000);
    const slow = (await answer(150_000, { turns, memory })).body!.getReader();
    const first = (await slow.read()).value!.byteLength;
    assert(first >= 49_152 && first <= 65_536, `${first} bytes at a time`);
    // In the first second nobody is too slow, then at less than 64 KiB a second.
    await clock.pass(1_000 + first / 65.536 - 1);
    await assertTooBusy(answer(150_000, { turns, memory }));
    await clock.pass(2);
    const next = await answer(150_000, { turns, memory });
    assert((await slow.read()).done);
    assertEquals((await next.bytes()).byteLength, 150_000);
  });
}

async function assertTooBusy(answering: Promise<Response>): Promise<void> {
  const error = await answering.catch((error) => error);
  assertEquals(error, TOO_BUSY);
}

Deno.test("answerWritten() writes a text of more than 2 MiB anew as it is taken, and holds its source", async () => {
  const memory = new Memory(2_000_000);
  let written = 0;
  function* write(output: JsonWriter): Generator<void, void> {
    for (const pause of writeString(2_097_153)(output)) {
      written += 1;
      yield pause;
    }
  }
  const response = await answerWritten(write, {
    sourceBytes: 100_000,
    delivery: { turns, memory },
  });
  const held = 100_000 + 1_048_576;
  assert(isFree(memory, 2_000_000 - held));
  assert(!isFree(memory, 2_000_001 - held));
  const pieces = written;
  const reader = response.body!.getReader();
  await reader.read();
  assertEquals(written, pieces + 1, "it is written as it is taken");
});

Deno.test("answerWritten() writes a text anew where there is no room to keep it", async () => {
  const memory = new Memory(1_400_000);
  const response = await answerWritten(writeString(1_200_000), {
    sourceBytes: 300_000,
    delivery: { turns, memory },
  });
  assert(isFree(memory, 1_400_000 - 300_000 - 1_048_576));
  assert(!isFree(memory, 1_400_001 - 300_000 - 1_048_576));
  assertEquals((await response.text()).length, 1_200_000);
  assert(isFree(memory, 1_400_000));
});

Deno.test("answerWritten() throws what is thrown while it writes, and forgets what was written", async () => {
  const delivery = { turns, memory: new Memory(1_500_000) };
  for (const length of [10, 100_000, 200_000]) {
    await assertRejects(
      () =>
        answerWritten(function* (output) {
          output.write("z".repeat(length));
          yield;
          throw new RangeError("too much");
        }, { sourceBytes: 0, delivery }),
      RangeError,
      "too much",
    );
    const next = await WAYS["answerWritten()"]!(10, delivery);
    assertEquals(await next.text(), '"yyyyyyyy"');
  }
});

Deno.test("answers do not share their bytes", async () => {
  for (const bytes of [100, 20_000, 100_000, 200_000]) {
    const memory = new Memory(10_000_000);
    const info = createInfo();
    const first = await answerWritten(writeString(bytes), {
      sourceBytes: 0,
      delivery: { turns, memory, info },
    });
    const second = await answerWritten(function* (output) {
      output.write("z".repeat(bytes));
      yield;
    }, { sourceBytes: 0, delivery: { turns, memory, info } });
    assert(/^"y+"$/.test(await first.text()));
    assert(/^z+$/.test(await second.text()));
  }
});

Deno.test("answerWritten() keeps no text of more than 2 MiB, nor of more than four times its source", async () => {
  const rows = [
    { sourceBytes: 100_000, bytes: 400_000, isKept: true },
    { sourceBytes: 100_000, bytes: 400_001, isKept: false },
    { sourceBytes: 1_000_000, bytes: 2_097_152, isKept: true },
    { sourceBytes: 1_000_000, bytes: 2_097_153, isKept: false },
  ];
  for (const { sourceBytes, bytes, isKept } of rows) {
    const memory = new Memory(4_000_000);
    await answerWritten(writeString(bytes), {
      sourceBytes,
      delivery: { turns, memory, info: createInfo() },
    });
    const heldBytes = isKept ? bytes : sourceBytes + 1_048_576;
    assert(isFree(memory, 4_000_000 - heldBytes));
    assert(!isFree(memory, 4_000_001 - heldBytes));
  }
});

Deno.test("answerWritten() writes anew into the pages that it did not keep", async () => {
  const rounds: ArrayBufferLike[][] = [];
  const response = await answerWritten(function* (output) {
    const buffers: ArrayBufferLike[] = [];
    rounds.push(buffers);
    for (const pause of writeString(600_000)(output)) {
      buffers.push(output.bytes.buffer);
      yield pause;
    }
  }, {
    sourceBytes: 100_000,
    delivery: { turns, memory: new Memory(4_000_000) },
  });
  await response.bytes();
  const [first, second] = rounds;
  const kept = first!.slice(0, 8);
  assertEquals(new Set(kept).size, 8);
  assertEquals(new Set(second).size, 12);
  assertEquals(kept.filter((buffer) => second!.includes(buffer)), kept);
});

/** A text too large to be kept, and a reader that has its first piece. */
async function startUnkept(memory: Memory, turns = new Turns()) {
  const response = await answerWritten(writeString(2_097_153), {
    sourceBytes: 0,
    delivery: { turns, memory },
  });
  const reader = response.body!.getReader();
  const first = (await reader.read()).value!.byteLength;
  return { reader, first };
}

Deno.test("a client that waits for its piece is not slow meanwhile", async () => {
  using clock = stopClock();
  const memory = new Memory(1_048_576);
  const turns = new HeldTurns();
  const { reader, first } = await startUnkept(memory, turns);
  await clock.pass(10);
  turns.isHeld = true;
  const next = reader.read();
  await clock.pass(3_600_000);
  assert(!isFree(memory, 1), "it is given up");
  turns.goOn();
  const { byteLength } = (await next).value!;
  // From here on its time counts again, and what it waited for does not.
  await clock.pass(990 + (first + byteLength) / 65.536 - 1);
  assert(!isFree(memory, 1));
  await clock.pass(2);
  assert(isFree(memory, 1));
});

Deno.test("each piece of a text that is written as it is taken waits for its turn", async () => {
  const turns = new HeldTurns();
  const response = await answerWritten(writeString(2_097_153), {
    sourceBytes: 0,
    delivery: { turns, memory: new Memory(1_048_576) },
  });
  turns.isHeld = true;
  const reader = response.body!.getReader();
  let hasCome = false;
  const first = reader.read().finally(() => hasCome = true);
  await new Promise((resolve) => setTimeout(resolve));
  assert(!hasCome);
  turns.goOn();
  await first;
});

Deno.test("an answer whose client goes while a piece is made ends", async () => {
  const memory = new Memory(1_048_576);
  const turns = new HeldTurns();
  const { reader } = await startUnkept(memory, turns);
  turns.isHeld = true;
  const next = reader.read();
  await reader.cancel();
  turns.goOn();
  assert((await next).done);
  assert(isFree(memory, 1_048_576));
});

Deno.test("answerWritten() stops writing where the client has gone, and holds nothing", async () => {
  const controller = new AbortController();
  const request = new Request("http://h/", { signal: controller.signal });
  const memory = new Memory(4_000_000);
  let pages = 0;
  const answering = answerWritten(function* (output) {
    for (const pause of writeString(2_000_000)(output)) {
      pages += 1;
      if (pages === 5) controller.abort();
      yield pause;
    }
  }, { sourceBytes: 2_000_000, delivery: { turns, memory, request } });
  const error = await answering.catch((error) => error);
  assertEquals(error, new HttpError(499, "the client has gone"));
  assertEquals(pages, 5);
  assert(isFree(memory, 4_000_000));
});

Deno.test("answerWritten() works for 2 milliseconds before it takes another turn", async () => {
  using clock = stopClock();
  const taken: number[] = [];
  const turns = new class extends Turns {
    override take(): Promise<void> {
      taken.push(performance.now());
      return super.take();
    }
  }();
  await answerWritten(function* (output) {
    for (const pause of writeString(600_000)(output)) {
      clock.work(1);
      yield pause;
    }
  }, {
    sourceBytes: 600_000,
    delivery: { turns, memory: new Memory(10_000_000) },
  });
  // Twelve pages, the first two of which might still go at once.
  assertEquals(taken, [3, 5, 7, 9, 11]);
});

/** Writes whole pages of 64 KiB, and pauses after each. */
function writePages(
  count: number,
  onPage: (page: number) => void = () => {},
): Write {
  return function* write(output) {
    for (let page = 1; page <= count; page += 1) {
      output.write("z".repeat(65_536));
      onPage(page);
      yield;
    }
  };
}

Deno.test("answerWritten() lets two pages of 64 KiB go at once, and keeps what has just grown fourfold", async () => {
  const info = createInfo();
  const none = { turns, memory: new Memory(0), info };
  const small = await answerWritten(writePages(2), {
    sourceBytes: 0,
    delivery: none,
  });
  assertEquals((await small.bytes()).byteLength, 131_072);
  const memory = new Memory(2_000_000);
  await answerWritten(writePages(4), {
    sourceBytes: 65_536,
    delivery: { turns, memory, info },
  });
  assert(isFree(memory, 2_000_000 - 262_144));
  assert(!isFree(memory, 2_000_001 - 262_144));
});

Deno.test("answerWritten() holds no more than it will need as soon as a text is too large to be kept", async () => {
  const memory = new Memory(5_000_000);
  const held: number[] = [];
  await answerWritten(
    writePages(8, (page) => {
      // What is held when a page has come counts those before it.
      let low = 0;
      let high = 5_000_000;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (isFree(memory, middle)) low = middle;
        else high = middle - 1;
      }
      held[page] = 5_000_000 - low;
    }),
    { sourceBytes: 65_536, delivery: { turns, memory } },
  );
  const unkept = 65_536 + 1_048_576;
  assertEquals(held.slice(1), [
    0,
    0,
    0,
    4 * 65_536,
    5 * 65_536,
    unkept,
    unkept,
    unkept,
  ]);
});

Deno.test("answerWritten() stops at once where there is no room for a text", async () => {
  let pages = 0;
  await assertTooBusy(
    answerWritten(writePages(100, () => pages += 1), {
      sourceBytes: 65_536,
      delivery: { turns, memory: new Memory(300_000) },
    }),
  );
  assertEquals(pages, 4);
});
