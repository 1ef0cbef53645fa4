import { assert, assertEquals } from "@std/assert";
import fc, { times } from "../_property.ts";
import { anyText } from "../_text.ts";
import { findJsonError } from "../../lib/json/mod.ts";
import { ALL_VALID, isJson, mutatedTexts, spacedTexts } from "./_random.ts";
import { INVALID } from "./_texts.ts";

Deno.test("findJsonError() accepts the valid texts of the tables", () => {
  for (const text of ALL_VALID) {
    assertEquals(findJsonError(text), undefined, text.slice(0, 80));
    assert(isJson(text), "JSON.parse must agree with the table");
  }
});

Deno.test("findJsonError() names line and column of the first invalid character", () => {
  for (const [text, line, column] of INVALID) {
    assertEquals(
      findJsonError(text)?.replace(/^expected .+, got .+ at /s, ""),
      `line ${line}, column ${column}`,
      JSON.stringify(text.slice(0, 80)),
    );
    assert(!isJson(text), "JSON.parse must agree with the table");
  }
});

Deno.test("findJsonError() names the expected and the actual character", async (t) => {
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
      anyText(),
    ]
  ) {
    fc.assert(
      fc.property(texts, (text) => {
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }),
      { numRuns: times(1_000) },
    );
  }
});

Deno.test("findJsonError() points at the first character that no ending can make valid", () => {
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
    { numRuns: times(400) },
  );
});

/** Returns the offset, in code units, of the line and column in a message. */
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

/** Whether the text with some ending is valid for `JSON.parse()`. */
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

Deno.test("findJsonError() checks strings of any length to their end", () => {
  // Parts of a string, each with the offset of its invalid character, if any.
  const pieces = fc.constantFrom<[piece: string, at: number | undefined]>(
    ["\n", 0],
    ["\x1f", 0],
    ["\0", 0],
    ["\t", 0],
    ["\\x", 1],
    ["\\u00g0", 4],
    ["\\u 000", 2],
    ['"', 1],
    ["\x7f", undefined],
    ["\ud800", undefined],
    ["\u2028", undefined],
    ["é", undefined],
    ['\\"', undefined],
    ["\\\\", undefined],
    ["\\u00e9", undefined],
    [" ", undefined],
  );
  const lengths = fc.oneof(
    fc.integer({ min: 1, max: 80 }),
    fc.integer({ min: 1, max: 5_000 }),
  );
  fc.assert(
    fc.property(pieces, lengths, lengths, ([piece, at], before, after) => {
      const start = `["${"a".repeat(before)}`;
      const text = `${start}${piece}${"b".repeat(after)}"]`;
      const isRight = at === undefined;
      const error = findJsonError(text);
      assertEquals(error === undefined, isRight, text);
      assertEquals(isJson(text), isRight);
      if (at === undefined) return;
      const column = start.length + at + 1;
      assert(error!.endsWith(` at line 1, column ${column}`), error);
    }),
    { numRuns: times(400) },
  );
});

Deno.test("findJsonError() requires the closing quote of strings of any length", () => {
  for (const length of [0, 1, 30, 31, 32, 33, 34, 530, 5_000]) {
    assertEquals(
      findJsonError(`"${"a".repeat(length)}`),
      `expected a closing double quote, got the end of the text at line 1, column ${
        length + 2
      }`,
    );
    assertEquals(findJsonError(`"${"a".repeat(length)}"`), undefined);
  }
});

Deno.test("findJsonError() agrees with JSON.parse on every character of an escape", () => {
  for (let code = 0; code <= 0xff; code += 1) {
    const character = String.fromCharCode(code);
    const escapes = [
      character,
      `u${character}000`,
      `u0${character}00`,
      `u00${character}0`,
      `u000${character}`,
      `u${character.repeat(4)}`,
    ];
    for (const escape of escapes) {
      // Long strings are read in another way.
      for (const text of [`"\\${escape}"`, `"${"a".repeat(100)}\\${escape}"`]) {
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }
    }
  }
});
