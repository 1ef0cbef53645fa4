/** Bodies and messages that `JSON.parse()` does not read. */

import { assertEquals, assertThrows } from "@std/assert";
import fc, { anyText, mutatedTexts, times } from "../_random.ts";
import { replace } from "../_replace.ts";
import { JsonTextError } from "../../lib/json/error.ts";
import { findJsonError } from "../../lib/json/mod.ts";
import { readMembers } from "../../lib/json/read.ts";

/** Names that occur in the random objects. */
const NAMES = ["params", "arguments", "a", "__proto__", "1", "12345", ""];

/** The names that are read. */
const WANTED = ["params", "arguments", "__proto__", "1", ""];

/** White space that makes a text longer than those that `JSON.parse()` reads. */
const PADDING = " ".repeat(32 * 1024);

const utf8Encoder = new TextEncoder();

function read(text: string, names: readonly string[] = WANTED, depth = 1) {
  return readMembers(utf8Encoder.encode(PADDING + text), names, depth);
}

/** Strings of up to 160,000 characters, many of which are escaped in JSON. */
const longStrings = fc.tuple(
  fc.string({ minLength: 1, unit: fc.constantFrom(...'aé😀1"\\\n') }),
  fc.constantFrom(1_000, 1_000, 1_000, 1_000, 160_000),
).map(([part, length]) => part.repeat(length / part.length));

/** Objects with some of the names above, at every depth. */
const objects = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText(),
    longStrings,
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.array(
    fc.tuple(fc.constantFrom(...NAMES), tie("value")),
    { maxLength: 5 },
  ).map((members) => Object.fromEntries(members)),
})).object;

/** Their texts, in which a digit at the start of a string may be written as an escape. */
const objectTexts = fc.tuple(objects, fc.constantFrom("1", "\\u0031"))
  .map(([object, digit]) =>
    JSON.stringify(object).replaceAll(/(?<=")1/g, digit)
  );

/** The result of `readMembers()` that a value of `JSON.parse()` stands for. */
function select(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [];
  const members = depth === 0 ? [] : Object.entries(value).map(
    ([name, member]) =>
      WANTED.includes(name)
        ? [name, select(member, depth - 1)]
        : [name, undefined],
  );
  // There are never more than five other names.
  return Object.fromEntries(members);
}

Deno.test("readMembers() reads what JSON.parse() reads, down to a depth", () => {
  fc.assert(
    fc.property(objectTexts, fc.integer({ min: 1, max: 4 }), (text, depth) => {
      // A body is UTF-8, so it has no lone surrogates.
      const wellFormed = text.toWellFormed();
      const expected = select(JSON.parse(wellFormed), depth);
      assertEquals(read(wellFormed, WANTED, depth), expected);
      const short = readMembers(utf8Encoder.encode(wellFormed), WANTED, depth);
      assertEquals(select(short, depth), expected);
    }),
    { numRuns: times(600) },
  );
});

Deno.test("readMembers() throws the error that findJsonError() finds", () => {
  const texts = mutatedTexts.map((text) => text.toWellFormed());
  fc.assert(
    fc.property(texts, (text) => {
      const member = ` {"x": 1, "a": ${text} }\n`;
      const longer = member.replace('"a": "', `"a": "${PADDING}`);
      for (const whole of [text, member, `${member}${PADDING}`, longer]) {
        const error = findJsonError(whole);
        const bytes = utf8Encoder.encode(whole);
        if (error === undefined) readMembers(bytes, ["a"], 2);
        else {
          assertThrows(
            () => readMembers(bytes, ["a"], 2),
            JsonTextError,
            error,
          );
        }
      }
    }),
    { numRuns: times(600) },
  );
});

Deno.test("readMembers() finds a name however it is written", async (t) => {
  const rows = [
    ["an escape", '{"\\u0061b":1}', { ab: 1 }],
    ["only escapes", '{"\\u0061\\u0062":1}', { ab: 1 }],
    ["a prefix", '{"a":1,"abc":2}', { a: undefined, abc: undefined }],
    ["another escape", '{"a\\b":1}', { "a\b": undefined }],
    ["an escaped slash", '{"a\\/b":1,"\\u0061\\/b":2}', { "a/b": 2 }],
    ["a slash", '{"a/b":1}', { "a/b": 1 }],
    ["hexadecimal letters", '{"\\u006A\\u006a":1}', { "jj": undefined }],
    ["an escape above ASCII", '{"\\u0161b":1}', { "šb": undefined }],
    ["upper case", '{"AB":1}', { AB: undefined }],
    ["the last of equal names", '{"ab":1,"\\u0061b":[],"ab":"2"}', { ab: "2" }],
    ["an object last", '{"ab":"1","ab":{"ab":1}}', { ab: {} }],
    ["white space", ' {\n"ab"\t:\r1 }', { ab: 1 }],
    ["__proto__", '{"__proto__":1}', { ["__proto__"]: undefined }],
    ["no member", "{}", {}],
    ["a number", "1", 1],
    ["a string", '"a\\n"', "a\n"],
    ["an array", "[1,[2]]", []],
  ] as const;
  for (const [name, text, expected] of rows) {
    await t.step(name, () => {
      assertEquals(read(text, ["ab", "a/b"]), expected);
    });
  }
});

Deno.test("strings that collide in V8's table never reach JSON.parse()", () => {
  const { parse } = JSON;
  // An error thrown here would count as one of the text.
  const colliding: string[] = [];
  using _parse = replace(JSON, {
    parse(text: string) {
      if (/"(\d|\\u003\d){7,}"/.test(text)) colliding.push(text.slice(0, 80));
      return parse(text);
    },
  });
  for (const size of [1, 100, 2_000]) {
    const digits = Array.from(
      { length: size },
      (_, i) => `${16384 * (62 + i)}`,
    );
    const strings = JSON.stringify(digits);
    for (
      const text of [
        strings,
        strings.replaceAll('"1', '"\\u0031'),
        `{${digits.map((name) => `"${name}":0`)}}`,
        `{"a":"\\u0031638400","x":${strings}}`,
      ]
    ) readMembers(utf8Encoder.encode(text), ["a"]);
  }
  assertEquals(colliding, []);
});
