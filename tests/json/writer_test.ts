import { assertEquals } from "@std/assert";
import fc from "../_property.ts";
import { anyText } from "../_text.ts";
import { encodeText, type TextBytes } from "../../lib/json/utf8.ts";
import { JsonWriter, PAGE_BYTES } from "../../lib/json/writer.ts";
import { runAtOnce } from "../../lib/work.ts";

/** Returns what has been written, and empties the writer. */
function takeText(output: JsonWriter): string {
  return readPages(output.take());
}

function readPages(pages: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return pages.map((page) => decoder.decode(page, { stream: true })).join("");
}

/** Escapes a part of a text with the writer, by default all of it. */
function escape(text: string, start = 0, end?: number): string {
  const bytes = runAtOnce(encodeText(text));
  using output = new JsonWriter();
  output.writeEscaped(bytes, start, end ?? bytes.length - 1);
  return takeText(output);
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

/** A text without characters. */
const NOTHING = runAtOnce(encodeText(""));

/** Writes a text that is a part of a longer one, and perhaps white space behind it. */
function writePart(
  [before, text, after]: readonly [string, string, string],
  whiteSpace: "none" | "space" | number = "none",
): Step {
  const parts = [before, text, after].map((
    part,
  ) => [...runAtOnce(encodeText(part))]);
  const bytes: TextBytes = Uint8Array.from(parts.flat());
  const start = parts[0]!.length;
  const end = start + parts[1]!.length - 1;
  if (whiteSpace === "none") {
    return {
      text: stringify(text),
      run: (output) => output.writeEscaped(bytes, start, end),
    };
  }
  if (whiteSpace === "space") {
    return {
      text: `${stringify(text)} `,
      run: (output) => output.writeWithSpace(bytes, start, end),
    };
  }
  return {
    text: `${stringify(text)}\\n${" ".repeat(whiteSpace)}`,
    run: (output) => output.writeWithLineBreak(bytes, start, end, whiteSpace),
  };
}

/** Runs steps with a writer whose first page has a number of free bytes left. */
function assertWritten(freeBytes: number, steps: readonly Step[]): void {
  using output = new JsonWriter();
  output.writeWithLineBreak(NOTHING, 0, 0, PAGE_BYTES - 2 - freeBytes);
  for (const step of steps) step.run(output);
  const { byteLength } = output;
  const pages = output.take();
  assertEquals(
    readPages(pages).slice(PAGE_BYTES - freeBytes),
    steps.map(({ text }) => text).join(""),
    `${freeBytes} bytes are free`,
  );
  const lengths = pages.map((page) => page.byteLength);
  assertEquals(lengths.reduce((sum, length) => sum + length), byteLength);
  const { length } = lengths.filter((length) => length > PAGE_BYTES);
  assertEquals(length, 0, `pages of ${lengths} bytes`);
}

Deno.test("JsonWriter writes correctly across the end of its first page", () => {
  const texts = ["a", "é", "€", '"', "\n", "\0", "😀", "\ud800"]
    .map((character) => character.repeat(10));
  const steps = [
    ...texts.map(write),
    ...["none" as const, "space" as const, 0, 40].flatMap((whiteSpace) =>
      ["", ...texts].map((text) => writePart(['x"', text, "y"], whiteSpace))
    ),
  ];
  for (const step of steps) {
    for (let freeBytes = 0; freeBytes <= 64; freeBytes += 1) {
      assertWritten(freeBytes, [step, step]);
    }
  }
});

Deno.test("JsonWriter collects every text in order", () => {
  const texts = fc.oneof(
    anyText({ maxLength: 3_000 }),
    fc.tuple(fc.constantFrom("a", '"', "€", "\ud800"), fc.nat({ max: 3_000 }))
      .map(([character, count]) => character.repeat(count)),
  );
  const steps = fc.oneof(
    texts.map(write),
    fc.tuple(
      fc.tuple(texts, texts, texts),
      fc.oneof(
        fc.constantFrom("none" as const, "space" as const),
        fc.nat({ max: 1_000 }),
        fc.nat({ max: 100_000 }),
      ),
    ).map(([parts, whiteSpace]) => writePart(parts, whiteSpace)),
  );
  fc.assert(
    fc.property(fc.nat({ max: 2_000 }), fc.array(steps), assertWritten),
  );
});

Deno.test("take() returns pages that later writes do not change", () => {
  const output = new JsonWriter();
  const written = ["a".repeat(40_000), "b", "c".repeat(100_000), "d"];
  const taken = written.map((text) => {
    output.write(text);
    return output.take();
  });
  assertEquals(taken.map(readPages), written);
  assertEquals(output.byteLength, 0);
});

Deno.test("writers that are used at the same time do not share a page", () => {
  new JsonWriter()[Symbol.dispose]();
  const writers = ["first", "second"].map((text) => {
    const output = new JsonWriter();
    output.write(text);
    return output;
  });
  assertEquals(writers.map(takeText), ["first", "second"]);
});
