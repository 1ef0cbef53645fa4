import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { JsonTextError } from "../../lib/json/error.ts";
import {
  formatJson,
  JsonSizeError,
  minifyJson,
} from "../../lib/json/rewrite.ts";
import { findJsonError } from "../../lib/json/scan.ts";
import { JsonWriter, PAGE_BYTES } from "../../lib/json/writer.ts";
import { ALL_VALID, plainValues, spacedTexts } from "./_random.ts";
import { INVALID, VALID, VALID_BY_DECISION } from "./_texts.ts";

/** The text that a function writes in its escaped form. */
function read(write: (output: JsonWriter) => Iterable<void>): string {
  const output = new JsonWriter();
  output.write('"');
  for (const _pause of write(output));
  output.write('"');
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return JSON.parse(decoder.decode(output.bytes));
}

function format(text: string, indent = 2, maxBytes = 100_000_000): string {
  return read((output) => formatJson(text, { indent, maxBytes, output }));
}

function minify(text: string): string {
  return read((output) => minifyJson(text, output));
}

Deno.test("formatJson() agrees with JSON.stringify on JSON that survives a double", () => {
  fc.assert(
    fc.property(spacedTexts, fc.constantFrom(2, 4), (text, indent) => {
      const expected = JSON.stringify(JSON.parse(text), null, indent);
      assertEquals(format(text, indent), expected);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("formatJson() leaves a formatted text as it is", () => {
  fc.assert(fc.property(spacedTexts, fc.constantFrom(2, 4), (text, indent) => {
    const formatted = format(text, indent);
    assertEquals(format(formatted, indent), formatted);
  }));
});

Deno.test("minifyJson() agrees with JSON.stringify on JSON that survives a double", () => {
  fc.assert(
    fc.property(spacedTexts, (text) => {
      assertEquals(minify(text), JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("minifyJson() undoes formatJson()", () => {
  // What is nested 6,000 deep grows to 72 MB: the first of them will do.
  const deep = ALL_VALID.find((text) => text.length > 10_000)!;
  const others = ALL_VALID.filter((text) => text.length < 10_000);
  for (const text of [deep, ...others]) {
    const minified = minify(text);
    const formatted = format(text);
    assert(minify(formatted) === minified, text.slice(0, 80));
  }
  fc.assert(fc.property(spacedTexts, (text) => {
    assertEquals(minify(format(text)), minify(text));
  }));
});

Deno.test("minifyJson() keeps texts that have no white space", () => {
  for (const text of [...VALID, ...VALID_BY_DECISION]) {
    assert(minify(text) === text, text.slice(0, 80));
  }
});

Deno.test("formatJson() and minifyJson() change white space only", async (t) => {
  const rows = [
    [
      "numbers",
      "[1.0,1e400,12345678901234567890,-0,1E+05]",
      "[\n  1.0,\n  1e400,\n  12345678901234567890,\n  -0,\n  1E+05\n]",
    ],
    ["escapes", '["\\u0041\\/\\ud800"]', '[\n  "\\u0041\\/\\ud800"\n]'],
    [
      "the order of names",
      '{"b":1,"10":2,"9":3}',
      '{\n  "b": 1,\n  "10": 2,\n  "9": 3\n}',
    ],
    ["duplicate names", '{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
    [
      "__proto__",
      '{"__proto__":{"x":1}}',
      '{\n  "__proto__": {\n    "x": 1\n  }\n}',
    ],
    ["white space in strings", '{" a ":" \\n "}', '{\n  " a ": " \\n "\n}'],
    [
      "empty containers",
      '[{},[],{"a":{}}]',
      '[\n  {},\n  [],\n  {\n    "a": {}\n  }\n]',
    ],
    ["a lone surrogate", '["\ud800"]', '[\n  "\ud800"\n]'],
  ] as const;
  for (const [name, minified, formatted] of rows) {
    await t.step(name, () => {
      assertEquals(format(minified), formatted);
      assertEquals(minify(formatted), minified);
      assertEquals(minify(`\r\n${formatted}\t`), minified);
    });
  }
});

Deno.test("formatJson() and minifyJson() throw where findJsonError() finds an error", () => {
  for (const [text] of INVALID) {
    const message = findJsonError(text);
    for (const rewrite of [format, minify]) {
      const error = assertThrows(() => rewrite(text), JsonTextError);
      assertEquals(error.message, message);
    }
  }
});

Deno.test("formatJson() allows exactly maxBytes bytes", async (t) => {
  const rows = [
    ["ASCII", "[1,2]", 2],
    ["two bytes a character", '["éé"]', 2],
    ["four bytes a character", '{"😀":"é"}', 4],
    ["white space left out", "[ 1 ,  2 ]   ", 2],
    ["nothing to change", "[\n  1\n]", 2],
    ["a scalar", '"é"', 2],
  ] as const;
  for (const [name, text, indent] of rows) {
    await t.step(name, () => {
      const expected = JSON.stringify(JSON.parse(text), null, indent);
      const maxBytes = new TextEncoder().encode(expected).byteLength;
      assertEquals(format(text, indent, maxBytes), expected);
      assertThrows(
        () => format(text, indent, maxBytes - 1),
        JsonSizeError,
        `the result would exceed ${maxBytes - 1} bytes`,
      );
    });
  }
});

Deno.test("formatJson() reports an error behind the limit rather than the limit", () => {
  const text = "[".repeat(50) + "1" + "]".repeat(49) + "}";
  assertThrows(
    () => format(text, 2, 100),
    JsonTextError,
    "column 101",
  );
});

/** White space of every kind and length, what the result should have among it. */
const gaps = fc.oneof(
  fc.constantFrom("", " ", "\n", "\t", "\r", "\r\n", "  "),
  fc.tuple(
    fc.constantFrom("\n", "\r", " ", "\t", ""),
    fc.constantFrom(" ", "\t", "\n", "\r"),
    fc.nat({ max: 13 }),
  ).map(([first, rest, count]) => first + rest.repeat(count)),
  fc.string({ unit: fc.constantFrom(..." \t\n\r"), maxLength: 9 }),
);

/** The tokens of a text that has no white space between them. */
function split(minified: string): string[] {
  return minified.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
}

Deno.test("formatJson() and minifyJson() fill every gap anew, whatever is in it", () => {
  fc.assert(
    fc.property(
      plainValues,
      fc.array(gaps, { minLength: 1, maxLength: 40, size: "max" }),
      fc.constantFrom(2, 4),
      (value, gaps, indent) => {
        const minified = JSON.stringify(value);
        const tokens = split(minified);
        const spaced = tokens.map((token, i) => gaps[i % gaps.length] + token)
          .join("") + gaps.at(-1);
        assertEquals(
          format(spaced, indent),
          JSON.stringify(value, null, indent),
        );
        assertEquals(minify(spaced), minified);
      },
    ),
    { numRuns: 3_000 },
  );
});

Deno.test("formatJson() replaces white space that has only the right length", async (t) => {
  const rows = [
    ["a tab after a colon", '{\n  "a":\t1\n}'],
    ["a line feed after a colon", '{\n  "a":\n1\n}'],
    ["a carriage return after a colon", '{\n  "a":\r1\n}'],
    ["two spaces after a colon", '{\n  "a":  1\n}'],
    ["nothing after a colon", '{\n  "a":1\n}'],
    ["tabs as an indent", '{\n\t\t"a": 1\n}'],
    ["a tab at the end of an indent", '{\n \t"a": 1\n}'],
    ["a tab at the start of an indent", '{\n\t "a": 1\n}'],
    ["spaces for a line feed", '{   "a": 1\n}'],
    ["a carriage return for a line feed", '{\r  "a": 1\n}'],
    ["a space for the last line feed", '{\n  "a": 1 }'],
    ["an indent too short", '{\n "a": 1\n}'],
    ["an indent too long", '{\n   "a": 1\n}'],
    ["nothing to change", '{\n  "a": 1\n}'],
  ] as const;
  for (const [name, text] of rows) {
    await t.step(name, () => assertEquals(format(text), '{\n  "a": 1\n}'));
  }
});

Deno.test("formatJson() counts the bytes of a large text, not its characters", async (t) => {
  const mebibyte = 1024 * 1024;
  for (const character of ["a", "é", "漢", "😀"]) {
    await t.step(character, () => {
      const text = `["${character.repeat(3_000)}"]`;
      const expected = JSON.stringify(JSON.parse(text), null, 2);
      const bytes = new TextEncoder().encode(expected).byteLength;
      assertEquals(format(text, 2, bytes), expected);
      assertThrows(() => format(text, 2, bytes - 1), JsonSizeError);
    });
  }
  await t.step("3 MiB of Chinese in 1 Mi characters", () => {
    const text = `["${"漢".repeat(mebibyte)}"]`;
    assertThrows(() => format(text, 2, 3 * mebibyte), JsonSizeError);
    assertEquals(format(text, 2, 3 * mebibyte + 8).length, mebibyte + 8);
  });
});

Deno.test("formatJson() writes nothing past its limit, and nothing more once there was too much", () => {
  const text = "[".repeat(20) + "1" + "]".repeat(20);
  const whole = format(text, 4);
  for (let maxBytes = 1; maxBytes < whole.length; maxBytes += 1) {
    const output = new JsonWriter();
    const error = assertThrows(
      () => [...formatJson(text, { indent: 4, maxBytes, output })],
      JsonSizeError,
    );
    assertEquals(error.name, "JsonSizeError");
    const written = JSON.parse(`"${new TextDecoder().decode(output.bytes)}"`);
    assert(written.length <= maxBytes, `${written.length} characters`);
    assert(whole.startsWith(written), written);
  }
});

Deno.test("formatJson() and minifyJson() copy in one piece what needs no change", async (t) => {
  let pieces = 0;
  class CountingWriter extends JsonWriter {
    override writeEscaped(text: string, start: number, end: number): void {
      pieces += 1;
      super.writeEscaped(text, start, end);
    }
  }
  const value = { a: [1, { b: [] }, "c"], d: {} };
  for (const indent of [2, 4]) {
    await t.step(`format to ${indent}`, () => {
      pieces = 0;
      const text = JSON.stringify(value, null, indent);
      const output = new CountingWriter();
      assertEquals(
        [...formatJson(text, { indent, maxBytes: 1_000, output })],
        [],
      );
      assertEquals(pieces, 1);
    });
  }
  await t.step("minify", () => {
    pieces = 0;
    const output = new CountingWriter();
    assertEquals([...minifyJson(JSON.stringify(value), output)], []);
    assertEquals(pieces, 1);
  });
});

Deno.test("formatJson() and minifyJson() pause whenever the output is full, and go on", async (t) => {
  const values = Array.from({ length: 30_000 }, (_, i) => ({ [i]: i }));
  const maxBytes = 10_000_000;
  const formatted = JSON.stringify(values, null, 2);
  const minified = JSON.stringify(values);
  const rows = [
    [
      "format",
      formatted,
      (output: JsonWriter) =>
        formatJson(minified, { indent: 2, maxBytes, output }),
    ],
    ["minify", minified, (output: JsonWriter) => minifyJson(formatted, output)],
  ] as const;
  for (const [name, expected, rewrite] of rows) {
    await t.step(name, () => {
      const output = new JsonWriter();
      const pages: Uint8Array[] = [];
      for (const _pause of rewrite(output)) {
        assert(output.isFull);
        pages.push(output.take());
      }
      pages.push(output.take());
      // None had to grow.
      for (const { buffer } of pages.slice(0, -1)) {
        assertEquals(buffer.byteLength, PAGE_BYTES);
      }
      const decoder = new TextDecoder();
      const written = pages.map((page) =>
        decoder.decode(page, { stream: true })
      ).join("");
      assert(JSON.parse(`"${written}"`) === expected);
      assert(pages.length > expected.length / PAGE_BYTES, `${pages.length}`);
    });
  }
});
