import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { JsonTextError } from "../../lib/json/error.ts";
import {
  formatJson,
  JsonSizeError,
  minifyJson,
} from "../../lib/json/rewrite.ts";
import { findJsonError } from "../../lib/json/scan.ts";
import { JsonWriter } from "../../lib/json/writer.ts";
import { INVALID, VALID, VALID_BY_DECISION, VALID_SPACED } from "./_texts.ts";

const ALL_VALID = [...VALID, ...VALID_SPACED, ...VALID_BY_DECISION];

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

/** Whether the platform's parser accepts the text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON values whose text survives a double and the order of an object's keys. */
const plainValues = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/** JSON texts with white space of every kind between their tokens. */
const spacedTexts = fc.tuple(
  plainValues,
  fc.constantFrom(undefined, " ", "  ", "\t", "\r\n ", 4, 10),
).map(([value, space]) => ` ${JSON.stringify(value, null, space)}\n`);

/** Valid texts with one character replaced, left out or put in. */
const mutatedTexts = fc.tuple(
  fc.oneof(
    spacedTexts,
    fc.constantFrom(...ALL_VALID.filter((text) => text.length < 100)),
  ),
  fc.nat(),
  fc.nat({ max: 1 }),
  fc.constantFrom(
    "",
    ...'{}[]",:\\/ \n\t\r0123456789-+.eEtrufalsn\0é😀\ud800\ufeff',
  ),
).map(([text, position, removed, character]) => {
  const offset = position % (text.length + 1);
  return text.slice(0, offset) + character + text.slice(offset + removed);
});

Deno.test("findJsonError() accepts valid texts", () => {
  for (const text of ALL_VALID) {
    assertEquals(findJsonError(text), undefined, text.slice(0, 80));
    assert(isJson(text), "the table is wrong");
  }
});

Deno.test("findJsonError() finds the first character that cannot go on", () => {
  for (const [text, line, column] of INVALID) {
    assertEquals(
      findJsonError(text)?.replace(/^expected .+, got .+ at /s, ""),
      `line ${line}, column ${column}`,
      JSON.stringify(text.slice(0, 80)),
    );
    assert(!isJson(text), "the table is wrong");
  }
});

Deno.test("findJsonError() says what was expected and what came", async (t) => {
  const rows = [
    ["a value", "[1,]", 'expected a JSON value, got "]" at line 1, column 4'],
    [
      "a name",
      "{a:1}",
      'expected a name in double quotes, got "a" at line 1, column 2',
    ],
    ["a colon", '{"a"1}', 'expected ":", got "1" at line 1, column 5'],
    [
      "a comma in an array",
      "[1 2]",
      'expected "," or "]", got "2" at line 1, column 4',
    ],
    [
      "a comma in an object",
      '{"a":1"',
      'expected "," or "}", got "\\"" at line 1, column 7',
    ],
    [
      "the end",
      "1 2",
      'expected the end of the text, got "2" at line 1, column 3',
    ],
    ["a digit", "-x", 'expected a digit, got "x" at line 1, column 2'],
    ["a word", "trux", 'expected "true", got "x" at line 1, column 4'],
    [
      "a quote",
      '"a',
      "expected a closing double quote, got the end of the text at line 1, column 3",
    ],
    [
      "a control character",
      '"\n"',
      "expected control characters to be escaped, got U+000A at line 1, column 2",
    ],
    [
      "an escape",
      '"\\x"',
      'expected one of "\\/bfnrtu after the backslash, got "x" at line 1, column 3',
    ],
    [
      "hexadecimal digits",
      '"\\u00g0"',
      'expected four hexadecimal digits after \\u, got "g" at line 1, column 6',
    ],
    [
      "an invisible character",
      "\ufeff1",
      "expected a JSON value, got U+FEFF at line 1, column 1",
    ],
    [
      "a character outside the BMP",
      "😀",
      'expected a JSON value, got "😀" at line 1, column 1',
    ],
    [
      "a lone surrogate",
      "\ud800",
      "expected a JSON value, got U+D800 at line 1, column 1",
    ],
  ] as const;
  for (const [name, text, message] of rows) {
    await t.step(name, () => assertEquals(findJsonError(text), message));
  }
});

Deno.test("findJsonError() agrees with JSON.parse on random and mutated texts", () => {
  const symbols = fc.string({
    unit: fc.constantFrom(...'{}[]",:\\ \n01-.eEu', "true", "null", '"a"'),
  });
  for (
    const texts of [
      symbols,
      spacedTexts,
      mutatedTexts,
      fc.string({ unit: "binary" }),
    ]
  ) {
    fc.assert(
      fc.property(texts, (text) => {
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }),
      { numRuns: 5_000 },
    );
  }
});

Deno.test("findJsonError() points where the text before can go on and the text after cannot", () => {
  fc.assert(
    fc.property(mutatedTexts, (text) => {
      const error = findJsonError(text);
      if (error === undefined) return;
      const offset = toOffset(text, error);
      assert(canContinue(text.slice(0, offset)), `too late: ${error}`);
      const next = text.slice(offset, offset + 1);
      assert(
        next === "" || !canContinue(text.slice(0, offset) + next),
        `too early: ${error}`,
      );
    }),
    { numRuns: 5_000 },
  );
});

/** The offset in code units that a message's line and column name. */
function toOffset(text: string, message: string): number {
  const [, line, column] = /line (\d+), column (\d+)$/.exec(message)!;
  let offset = 0;
  for (let i = 1; i < Number(line); i += 1) {
    offset += /\r\n|\r|\n/.exec(text.slice(offset))!.index;
    offset += text.startsWith("\r\n", offset) ? 2 : 1;
  }
  const rest = [...text.slice(offset)];
  return offset + rest.slice(0, Number(column) - 1).join("").length;
}

/** Whether some ending makes the text JSON, found with the platform's parser. */
function canContinue(text: string): boolean {
  const closers: string[] = [];
  let isInString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]!;
    if (isInString && character === "\\") i += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === "{") closers.unshift("}");
    else if (!isInString && character === "[") closers.unshift("]");
    else if (!isInString && "}]".includes(character)) closers.shift();
  }
  const words = ["true", "false", "null"]
    .flatMap((word) => [...word].map((_letter, i) => word.slice(i)));
  const strings = ["", "n", "0", "00", "000", "0000"].map((rest) => rest + '"');
  return ["", "0", ...words, ...strings].some((token) =>
    ["", ":0", '"":0'].some((member) =>
      isJson(text + token + member + closers.join(""))
    )
  );
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
  for (const text of ALL_VALID) {
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
