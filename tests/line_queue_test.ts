import { assertEquals } from "@std/assert";
import { LineQueue, MAX_WAITING_LENGTH } from "../lib/line_queue.ts";

/** An output that takes a number of bytes at a time, once `open()` is called. */
class SlowOutput {
  text = "";
  readonly #opened = Promise.withResolvers<void>();
  readonly #maxBytes: number;
  readonly open = this.#opened.resolve;

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  async write(bytes: Uint8Array): Promise<number> {
    await this.#opened.promise;
    const written = bytes.subarray(0, this.#maxBytes);
    this.text += new TextDecoder("latin1").decode(written);
    return written.byteLength;
  }
}

Deno.test("LineQueue writes lines in their order, also in parts", async () => {
  const output = new SlowOutput(7);
  const queue = new LineQueue(output);
  output.open();
  const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
  for (const line of lines) queue.add(line);
  await queue.flush();
  queue.add("é");
  await queue.flush();
  assertEquals(output.text, `${lines.join("\n")}\n\xc3\xa9\n`);
});

Deno.test("LineQueue loses lines that do not fit, and counts them in a line", async () => {
  const output = new SlowOutput();
  const queue = new LineQueue(output);
  const line = "x".repeat(1_023);
  const fitting = MAX_WAITING_LENGTH / 1_024;
  for (let i = 0; i < fitting + 12; i += 1) queue.add(line);
  output.open();
  await queue.flush();
  assertEquals(
    output.text,
    `${`${line}\n`.repeat(fitting)}12 lines not written\n`,
  );
  // There is room again.
  queue.add(line);
  await queue.flush();
  assertEquals(output.text.length, (fitting + 1) * 1_024 + 21);
});

Deno.test("LineQueue says that one line is lost", async () => {
  const output = new SlowOutput();
  const queue = new LineQueue(output);
  const line = "x".repeat(MAX_WAITING_LENGTH / 2);
  queue.add(line);
  queue.add(line);
  output.open();
  await queue.flush();
  assertEquals(output.text, `${line}\n1 line not written\n`);
});

Deno.test("LineQueue writes whole lines, as many together as 4 KiB have room for", async () => {
  const writes: string[] = [];
  const queue = new LineQueue({
    write(bytes) {
      writes.push(new TextDecoder().decode(bytes));
      return Promise.resolve(bytes.byteLength);
    },
  });
  // Parts of 16 bytes fill 4 KiB exactly; then each line has 17.
  const lines = Array.from(
    { length: 1_000 },
    (_, i) => `${i}`.padEnd(i < 500 ? 15 : 16),
  );
  for (const line of lines) queue.add(line);
  await queue.flush();
  const expected: string[] = [""];
  for (const line of lines.map((line) => `${line}\n`)) {
    const together = expected.at(-1) + line;
    if (together.length <= 4_096) expected[expected.length - 1] = together;
    else expected.push(line);
  }
  assertEquals(writes, expected);
});

Deno.test("LineQueue survives an output that fails", async () => {
  let writes = 0;
  const queue = new LineQueue({
    write() {
      writes += 1;
      return Promise.reject(new Deno.errors.BrokenPipe());
    },
  });
  for (let i = 0; i < 10_000; i += 1) queue.add("x".repeat(100));
  await queue.flush();
  queue.add("x");
  await queue.flush();
  assertEquals(writes, 1);
});
