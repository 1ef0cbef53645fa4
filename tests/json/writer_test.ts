import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { JsonWriter, PAGE_BYTES, recycle } from "../../lib/json/writer.ts";

/** What is written, without the quotes that JSON puts around a string. */
function escape(text: string, start = 0, end = text.length): string {
  const output = new JsonWriter();
  output.writeEscaped(text, start, end);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(output.bytes);
}

function stringify(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

Deno.test("writeEscaped() agrees with JSON.stringify on every code unit", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if (escape(character) !== stringify(character)) {
      assertEquals(escape(character), stringify(character), `code ${code}`);
    }
  }
});

Deno.test("writeEscaped() agrees with JSON.stringify on texts of any length", () => {
  const texts = fc.string({ unit: "binary", maxLength: 600 });
  fc.assert(fc.property(texts, (text) => {
    assertEquals(escape(text), stringify(text));
  }));
  for (const character of ["a", '"', "é", "€", "😀", "\ud800"]) {
    for (const length of [255, 256, 257, 1_000]) {
      const text = character.repeat(length);
      assertEquals(escape(text), stringify(text));
    }
  }
});

Deno.test("writeEscaped() writes a part of a text", () => {
  assertEquals(escape('ab"cd"ef', 1, 5), 'b\\"cd');
  assertEquals(escape("abc", 3, 3), "");
});

Deno.test("writeLineBreak() and writeSpace() stand in a JSON string", () => {
  const output = new JsonWriter();
  output.write('"');
  output.writeLineBreak(0);
  output.writeSpace();
  output.writeLineBreak(300);
  output.write('"');
  const text = new TextDecoder().decode(output.bytes);
  assertEquals(JSON.parse(text), `\n \n${" ".repeat(300)}`);
});

/** Size of a writer's buffer at first, in bytes. */
const BUFFER_BYTES = 64 * 1024;

/** A writer whose buffer has room for this many bytes more. */
function createWriter(freeBytes: number): JsonWriter {
  const output = new JsonWriter();
  while (output.bytes.length < BUFFER_BYTES - freeBytes) output.writeSpace();
  return output;
}

function readText(output: JsonWriter): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    .decode(output.bytes);
}

/** What can be written, and what then stands there, the obvious way. */
interface Step {
  readonly name: string;
  readonly text: string;
  write(output: JsonWriter): void;
}

function writePlain(text: string): Step {
  return {
    name: `write ${text.length} of ${text.slice(0, 1)}`,
    text,
    write: (output) => output.write(text),
  };
}

function writePart(before: string, part: string, after: string): Step {
  const [start, end] = [before.length, before.length + part.length];
  return {
    name: `escape ${part.length} of ${JSON.stringify(part.slice(0, 1))}`,
    text: stringify(part),
    write: (output) => output.writeEscaped(before + part + after, start, end),
  };
}

function writeLineBreak(spaces: number): Step {
  return {
    name: `break before ${spaces} spaces`,
    text: "\\n" + " ".repeat(spaces),
    write: (output) => output.writeLineBreak(spaces),
  };
}

const writeSpace: Step = {
  name: "space",
  text: " ",
  write: (output) => output.writeSpace(),
};

Deno.test("JsonWriter loses nothing where its buffer ends", async (t) => {
  const texts = ["a", "é", "€", '"', "\n", "\0", "😀", "\ud800"]
    .flatMap((text) => [1, 2, 9, 300].map((count) => text.repeat(count)));
  const steps = [
    ...texts.map(writePlain).filter(({ text }) => text.isWellFormed()),
    ...texts.map((text) => writePart('x"', text, "y")),
    ...[0, 1, 2, 30, 40_000].map(writeLineBreak),
    writeSpace,
    writePlain("a".repeat(100_000)),
    writePlain("€".repeat(100_000)),
  ];
  for (const step of steps) {
    await t.step(step.name, () => {
      const length = new TextEncoder().encode(step.text).byteLength;
      const edges = [0, 1, 2, 3, 4, length - 1, length, length + 1]
        .filter((freeBytes) => freeBytes >= 0 && freeBytes <= BUFFER_BYTES);
      for (const freeBytes of edges) {
        const output = createWriter(freeBytes);
        step.write(output);
        step.write(output);
        assertEquals(
          readText(output).trimStart(),
          (step.text + step.text).trimStart(),
        );
        assertEquals(
          output.bytes.length,
          BUFFER_BYTES - freeBytes + 2 * length,
        );
      }
    });
  }
});

Deno.test("JsonWriter agrees with strings on whatever is written", () => {
  const units = fc.string({ unit: "binary", maxLength: 300 });
  const steps = fc.oneof(
    units.map(writePlain),
    fc.tuple(units, units, units).map((parts) => writePart(...parts)),
    fc.nat({ max: 2_000 }).map(writeLineBreak),
    fc.constant(writeSpace),
  );
  const output = new JsonWriter();
  const texts = fc.array(steps, { maxLength: 60, size: "max" });
  fc.assert(fc.property(texts, (steps) => {
    output.clear();
    for (const step of steps) step.write(output);
    assertEquals(readText(output), steps.map(({ text }) => text).join(""));
  }));
});

Deno.test("JsonWriter grows when it must, twofold, and not before", async (t) => {
  const fitting: readonly (readonly [step: Step, freeBytes: number])[] = [
    // Text of unknown characters may need three bytes a code unit.
    [writePlain("a".repeat(10)), 30],
    [writePart("xyz", "a".repeat(10), "z"), 30],
    [writePart("xyz", '"'.repeat(10), "z"), 30],
    [writeLineBreak(10), 12],
    [writeSpace, 1],
  ];
  for (const [step, freeBytes] of fitting) {
    await t.step(step.name, () => {
      const full = createWriter(freeBytes);
      step.write(full);
      assertEquals(full.bytes.buffer.byteLength, BUFFER_BYTES);
      const tooFull = createWriter(freeBytes - 1);
      step.write(tooFull);
      assertEquals(tooFull.bytes.buffer.byteLength, 2 * BUFFER_BYTES);
    });
  }
  await t.step("a text above twice the buffer", () => {
    const output = new JsonWriter();
    output.writeLineBreak(200_000);
    assertEquals(output.bytes.buffer.byteLength, 200_002);
  });
});

Deno.test("JsonWriter keeps a page when it is cleared, and no larger buffer", () => {
  const output = new JsonWriter();
  assertEquals(PAGE_BYTES, BUFFER_BYTES);
  output.writeLineBreak(BUFFER_BYTES - 2);
  const page = output.bytes.buffer;
  output.clear();
  assertEquals(output.bytes.length, 0);
  assert(output.bytes.buffer === page);
  output.writeLineBreak(BUFFER_BYTES - 1);
  assertEquals(output.bytes.buffer.byteLength, 2 * BUFFER_BYTES);
  output.clear();
  assertEquals(output.bytes.buffer.byteLength, BUFFER_BYTES);
  output.write("a");
  assertEquals(readText(output), "a");
});

Deno.test("JsonWriter is full from 48 KiB on", () => {
  const output = new JsonWriter();
  output.writeLineBreak(48 * 1024 - 3);
  assertEquals(output.isFull, false);
  output.writeSpace();
  assertEquals(output.isFull, true);
  output.take();
  assertEquals(output.isFull, false);
});

Deno.test("JsonWriter hands out what was written, to be kept, and begins anew", () => {
  const output = new JsonWriter();
  output.write("a".repeat(40_000));
  const first = output.take();
  assertEquals(output.bytes.length, 0);
  output.write("b");
  const second = output.take();
  output.write("c");
  const texts = [first, second, output.bytes].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  assertEquals(texts, ["a".repeat(40_000), "b", "c"]);
});

Deno.test("JsonWriter hands out a page that is half full as it is, and a copy of less", async (t) => {
  const rows = [
    ["half of it", PAGE_BYTES / 2, PAGE_BYTES],
    ["all of it", PAGE_BYTES, PAGE_BYTES],
    ["less than half", PAGE_BYTES / 2 - 1, PAGE_BYTES / 2 - 1],
    ["two bytes", 2, 2],
    ["more than a page", PAGE_BYTES + 1, 2 * PAGE_BYTES],
  ] as const;
  for (const [name, length, bufferLength] of rows) {
    await t.step(name, () => {
      const output = new JsonWriter();
      output.writeLineBreak(length - 2);
      const taken = output.take();
      output.writeLineBreak(0);
      assertEquals(taken.length, length);
      assertEquals(taken.buffer.byteLength, bufferLength);
      // What is written next stands elsewhere.
      assert(output.bytes.buffer !== taken.buffer);
    });
  }
});

Deno.test("recycle() gives pages to the next writers, 32 at the most, and nothing but pages", () => {
  function take(length: number): Uint8Array<ArrayBuffer> {
    const output = new JsonWriter();
    output.writeLineBreak(length - 2);
    return output.take();
  }
  const pages = Array.from({ length: 40 }, () => take(PAGE_BYTES));
  const others = [take(PAGE_BYTES + 1), take(10)];
  // None is in stock: those that were are among the pages.
  recycle([...others, ...pages]);
  const given = Array.from({ length: 40 }, () => new JsonWriter())
    .map(({ bytes }) => bytes.buffer);
  for (const { buffer } of others) assert(!given.includes(buffer));
  const again = pages.filter(({ buffer }) => given.includes(buffer));
  assertEquals(again.length, 32);
  assertEquals(new Set(given).size, 40);
});

Deno.test("a writer that is disposed of gives its page to the next one", () => {
  let page: ArrayBuffer;
  {
    using writer = new JsonWriter();
    page = writer.bytes.buffer;
  }
  assert(new JsonWriter().bytes.buffer === page);
});
