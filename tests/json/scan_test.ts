import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { JsonTextError } from "../../lib/json/error.ts";
import { findJsonError, type Gaps, Scan } from "../../lib/json/scan.ts";
import { ALL_VALID, isJson, mutatedTexts, spacedTexts } from "./_random.ts";
import { INVALID } from "./_texts.ts";

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
    { numRuns: 2_000 },
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

Deno.test("a scan throws an error with a name of its own", () => {
  const { name } = assertThrows(() => new Scan("[").resume(), JsonTextError);
  assertEquals(name, "JsonTextError");
});

Deno.test("findJsonError() checks strings of any length to their end", () => {
  // Each with where in it the text cannot go on; `undefined` for what is right.
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
    { numRuns: 2_000 },
  );
});

Deno.test("findJsonError() misses no quote that a string needs", () => {
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

/** Keeps what it is told, and where the scan was when it asked. */
class Told implements Gaps {
  readonly gaps: string[] = [];
  readonly looks: number[] = [];
  readonly #answer: () => boolean;
  #at = 0;

  constructor(answer: () => boolean) {
    this.#answer = answer;
  }

  get isFull(): boolean {
    this.looks.push(this.#at);
    return this.#answer();
  }

  close(start: number, end: number): void {
    this.gaps.push(`close ${start}-${end}`);
    this.#at = end;
  }

  space(start: number, end: number): void {
    this.gaps.push(`space ${start}-${end}`);
    this.#at = end;
  }

  breakLine(start: number, end: number, depth: number): void {
    this.gaps.push(`break ${start}-${end} at ${depth}`);
    this.#at = end;
  }
}

Deno.test("a scan tells of every gap once, in order, with its depth", async (t) => {
  const rows: readonly [text: string, gaps: readonly string[]][] = [
    [" 1  ", ["close 0-1", "close 2-4"]],
    ["[]", ["close 0-0", "close 1-1", "close 2-2"]],
    ["[ ]", ["close 0-0", "close 1-2", "close 3-3"]],
    ["{ } ", ["close 0-0", "close 1-2", "close 3-4"]],
    ["[1 , 2]", [
      "close 0-0",
      "break 1-1 at 1",
      "close 2-3",
      "break 4-5 at 1",
      "break 6-6 at 0",
      "close 7-7",
    ]],
    ['{"a" : [ {}] }', [
      "close 0-0",
      "break 1-1 at 1",
      "close 4-5",
      "space 6-7",
      "break 8-9 at 2",
      "close 10-10",
      "break 11-11 at 1",
      "break 12-13 at 0",
      "close 14-14",
    ]],
    ['{"a":1,"b":2}', [
      "close 0-0",
      "break 1-1 at 1",
      "close 4-4",
      "space 5-5",
      "close 6-6",
      "break 7-7 at 1",
      "close 10-10",
      "space 11-11",
      "break 12-12 at 0",
      "close 13-13",
    ]],
  ];
  for (const [text, expected] of rows) {
    await t.step(text, () => {
      const output = new Told(() => false);
      assert(new Scan(text, output).resume());
      assertEquals(output.gaps, expected);
    });
  }
});

Deno.test("a scan looks every 64 code units whether the output is full", () => {
  const text = `[${"0,".repeat(200)}0]`;
  const places = [65, 129, 193, 257, 321, 385];
  const output = new Told(() => false);
  assert(new Scan(text, output).resume());
  assertEquals(output.looks, places);

  const fullOutput = new Told(() => true);
  const scan = new Scan(text, fullOutput);
  let pauses = 0;
  for (; !scan.resume(); pauses += 1) {
    assertEquals(fullOutput.looks.length, pauses + 1);
  }
  assertEquals(fullOutput.looks, places);
  assertEquals(fullOutput.gaps, output.gaps);
});

Deno.test("a scan that pauses goes on as one that does not", () => {
  const list = (texts: fc.Arbitrary<string>) =>
    fc.array(texts, { minLength: 1, maxLength: 20, size: "max" });
  const texts = fc.oneof(
    list(spacedTexts).map((texts) => `[${texts.join(",")}]`),
    list(spacedTexts).map((texts) =>
      texts.reduce((all, text) => `{"a":${all},"b":${text}}`)
    ),
    list(mutatedTexts).map((texts) => `[${texts.join(",")}]`),
  );
  const answers = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(texts, answers, (text, answers) => {
      const output = new Told(() => false);
      const error = scan(text, output);
      assertEquals(error, findJsonError(text));
      const pausing = new Told(() => answers.next().value);
      assertEquals(scan(text, pausing), error);
      assertEquals(pausing.gaps, output.gaps);
    }),
    { numRuns: 1_000 },
  );

  /** Scans to the end, with every pause; what is wrong, if anything. */
  function scan(text: string, output: Gaps): string | undefined {
    try {
      const scan = new Scan(text, output);
      while (!scan.resume());
    } catch (error) {
      assert(error instanceof JsonTextError);
      return error.message;
    }
  }
});

Deno.test("findJsonError() hides no other error", () => {
  const text = { length: 1, charCodeAt: () => fail() } as unknown as string;
  function fail(): never {
    throw new RangeError("another");
  }
  assertThrows(() => findJsonError(text), RangeError, "another");
});

Deno.test("findJsonError() knows every hexadecimal digit and no other character", () => {
  for (let code = 0; code <= 0xff; code += 1) {
    for (let place = 0; place < 4; place += 1) {
      const digits = "0".repeat(place) + String.fromCharCode(code) +
        "0".repeat(3 - place);
      const text = `"\\u${digits}"`;
      assertEquals(findJsonError(text) === undefined, isJson(text), text);
    }
  }
});

Deno.test("findJsonError() knows every letter that a backslash escapes", () => {
  for (let code = 0; code <= 0xff; code += 1) {
    const text = `"\\${String.fromCharCode(code)}"`;
    assertEquals(findJsonError(text) === undefined, isJson(text), text);
  }
});

Deno.test("findJsonError() leaves long strings to the runtime, and short ones not", async (t) => {
  const rows = [
    ["short", 20, 22, 0],
    ["long", 100_000, 100, 1],
  ] as const;
  for (const [name, length, maxLooks, searches] of rows) {
    await t.step(name, () => {
      const text = `["${"a".repeat(length)}"]`;
      let looks = 0;
      let calls = 0;
      const { charCodeAt } = String.prototype;
      const { stringify } = JSON;
      String.prototype.charCodeAt = function (at) {
        looks += 1;
        return charCodeAt.call(this, at);
      };
      JSON.stringify = (value: unknown) => {
        calls += 1;
        return stringify(value);
      };
      let error: string | undefined;
      try {
        error = findJsonError(text);
      } finally {
        String.prototype.charCodeAt = charCodeAt;
        JSON.stringify = stringify;
      }
      assertEquals(error, undefined);
      // Besides the string there are two brackets, and white space to look for.
      assert(looks <= maxLooks + 10, `looked ${looks} times`);
      assertEquals(calls, searches);
    });
  }
});
