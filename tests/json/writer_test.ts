import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { JsonWriter, PAGE_BYTES } from "../../lib/json/writer.ts";

function readText(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes);
}

/** Escapes a part of a text with the writer. */
function escape(text: string, start = 0, end = text.length): string {
  const output = new JsonWriter();
  output.writeEscaped(text, start, end);
  return readText(output.bytes);
}

/** Escapes a text with `JSON.stringify()`, without the quotes. */
function stringify(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

Deno.test("writeEscaped() agrees with JSON.stringify on every code unit", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    const escaped = escape(character);
    if (escaped !== stringify(character)) {
      assertEquals(escaped, stringify(character), `code unit ${code}`);
    }
  }
});

Deno.test("writeEscaped() writes a part of a text", () => {
  assertEquals(escape('ab"cd"ef', 1, 5), 'b\\"cd');
  assertEquals(escape("abc", 3, 3), "");
});

/** A call of the writer, and the text that it must add. */
interface Step {
  readonly text: string;
  run(output: JsonWriter): void;
}

function write(text: string): Step {
  return {
    text: text.toWellFormed(),
    run: (output) => output.write(text),
  };
}

function writeEscaped(text: string, before = "", after = ""): Step {
  const end = before.length + text.length;
  return {
    text: stringify(text),
    run: (output) =>
      output.writeEscaped(before + text + after, before.length, end),
  };
}

function writeLineBreak(spaces: number): Step {
  return {
    text: "\\n" + " ".repeat(spaces),
    run: (output) => output.writeLineBreak(spaces),
  };
}

const writeSpace: Step = { text: " ", run: (output) => output.writeSpace() };

/** Runs steps with a writer whose first buffer has a number of free bytes left. */
function assertWritten(freeBytes: number, steps: readonly Step[]): void {
  const output = new JsonWriter();
  output.writeLineBreak(PAGE_BYTES - 2 - freeBytes);
  for (const step of steps) step.run(output);
  assertEquals(
    readText(output.bytes.subarray(PAGE_BYTES - freeBytes)),
    steps.map(({ text }) => text).join(""),
    `${freeBytes} bytes are free`,
  );
}

Deno.test("JsonWriter writes correctly across the end of its first buffer", () => {
  const texts = ["a", "é", "€", '"', "\n", "\0", "😀", "\ud800"]
    .map((character) => character.repeat(10));
  const steps = [
    ...texts.map(write),
    ...texts.map((text) => writeEscaped(text, 'x"', "y")),
    writeLineBreak(0),
    writeLineBreak(40),
    writeSpace,
  ];
  for (const step of steps) {
    for (let freeBytes = 0; freeBytes <= 64; freeBytes += 1) {
      assertWritten(freeBytes, [step, step]);
    }
  }
});

Deno.test("JsonWriter collects every text in order", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 600 }),
    fc.tuple(fc.constantFrom("a", '"', "€", "\ud800"), fc.nat({ max: 600 }))
      .map(([character, count]) => character.repeat(count)),
  );
  const steps = fc.oneof(
    texts.map(write),
    fc.tuple(texts, texts, texts).map((parts) => writeEscaped(...parts)),
    fc.nat({ max: 1_000 }).map(writeLineBreak),
    fc.nat({ max: 100_000 }).map(writeLineBreak),
    fc.constant(writeSpace),
  );
  fc.assert(
    fc.property(fc.nat({ max: 2_000 }), fc.array(steps), assertWritten),
  );
});

Deno.test("take() returns bytes that later writes do not change", () => {
  const output = new JsonWriter();
  const written = ["a".repeat(40_000), "b", "c".repeat(100_000), "d"];
  const taken = written.map((text) => {
    output.write(text);
    return output.take();
  });
  assertEquals(taken.map(readText), written);
  assertEquals(output.bytes.length, 0);
});

Deno.test("writers that are used at the same time do not share a buffer", () => {
  new JsonWriter()[Symbol.dispose]();
  const writers = ["first", "second"].map((text) => {
    const output = new JsonWriter();
    output.write(text);
    return output;
  });
  assertEquals(writers.map(({ bytes }) => readText(bytes)), [
    "first",
    "second",
  ]);
});
