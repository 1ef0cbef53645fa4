import { assert, assertEquals, assertThrows } from "@std/assert";
import fc, { times } from "../_property.ts";
import { anyText } from "../_text.ts";
import { JsonTextError } from "../../lib/json/error.ts";
import { buildValue, ValueCountError } from "../../lib/json/build.ts";
import { mayCollide, parseSelected } from "../../lib/json/parse.ts";
import { findJsonError } from "../../lib/json/scan.ts";
import { runAtOnce } from "../../lib/work.ts";
import { mutatedTexts, spacedTexts } from "./_random.ts";

const NAMES = ["params", "arguments", "a", "__proto__", "\u0031", "12345", ""];

/** Some of the names that occur in texts. */
const SELECTED = ["params", "__proto__", "1", ""];

const utf8Encoder = new TextEncoder();

function parse(text: string, selection: Parameters<typeof parseSelected>[1]) {
  return runAtOnce(parseSelected(utf8Encoder.encode(text), selection));
}

/** Objects whose members are named at random, some of them like the path. */
const objects = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText(),
    fc.string({ minLength: 300, maxLength: 400, unit: "grapheme" }),
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.array(
    fc.tuple(fc.constantFrom(...NAMES), tie("value")),
    { maxLength: 5 },
  ).map((members) => Object.fromEntries(members)),
})).object.map((object) => JSON.stringify(object));

/** The value of `JSON.parse()`; arrays and nested objects without their content. */
function parseOutermost(
  text: string,
  isSelected = (_name: string) => true,
): unknown {
  const value = JSON.parse(text);
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return [];
  return toMembers(
    Object.entries(value).filter(([name]) => isSelected(name))
      .map(([name, member]) => [
        name,
        isContainer(member)
          ? Array.isArray(member) ? [] : toMembers([])
          : member,
      ]),
  );
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toMembers(entries: [string, unknown][]): Record<string, unknown> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

Deno.test("a large text is parsed like a small one, without nested values and further names", () => {
  for (const texts of [objects, spacedTexts, mutatedTexts]) {
    fc.assert(
      // A body is UTF-8, so it has no lone surrogates.
      fc.property(texts.map((text) => text.toWellFormed()), (text) => {
        const error = findJsonError(text);
        try {
          const { value } = parse(text, { names: SELECTED });
          assertEquals(error, undefined);
          const expected = parseOutermost(
            text,
            (name) => SELECTED.includes(name),
          );
          assertEquals(value, expected);
        } catch (thrown) {
          assert(thrown instanceof JsonTextError, text);
          assertEquals(thrown.message, error);
        }
      }),
      { numRuns: times(600) },
    );
  }
});

Deno.test("the object at the end of a path is parsed and found in a large text", () => {
  const path = ["params", "arguments"];
  fc.assert(
    fc.property(objects, objects, (args, other) => {
      const text =
        `{"a":${other}, "params": {"b":[${other}],"arguments" :${args} } ,"c":1}`;
      const { found } = parse(text, { names: [], path });
      assert(found !== undefined);
      const { start, end } = found;
      const bytes = utf8Encoder.encode(text).subarray(start, end);
      assertEquals(new TextDecoder().decode(bytes), args);
      assertEquals(found.members, parseOutermost(args));
    }),
  );
  for (
    const text of ['{"arguments":{}}', '{"params":[{"arguments":{}}]}', "1"]
  ) {
    const { found } = parse(text, { names: [], path });
    assertEquals(found, undefined);
  }
});

Deno.test("the parsing of a large text pauses", () => {
  const members = Array.from({ length: 5_000 }, (_, i) => `"${i}":${i}`);
  const nested = `{"a":[${"[],".repeat(100_000)}[]]}`;
  const many = Array.from(
    { length: 20 },
    (_, i) => `"${i}":"${"a".repeat(30_000)}"`,
  );
  const long = `{"a":"${"\\n".repeat(200_000)}"}`;
  const wrong = `{"b":"${"a".repeat(400_000)}"]`;
  for (const text of [`{${members}}`, nested, `{${many}}`, long, wrong]) {
    const bytes = utf8Encoder.encode(text);
    const work = parseSelected(bytes, { names: ["a", "19"] });
    assert(countPauses(work) >= 4);
  }
});

/** Returns the number of pauses of some work, which may fail. */
function countPauses(work: Iterator<void>): number {
  for (let pauses = 0;; pauses += 1) {
    try {
      if (work.next().done) return pauses;
    } catch (error) {
      assert(error instanceof JsonTextError);
      return pauses;
    }
  }
}

Deno.test("of the object at the end of a path, the first 32 names are parsed", () => {
  const names = Array.from({ length: 50 }, (_, i) => `k${i}`);
  const members = names.map((name) => `"${name}":"${name}"`);
  const text = `{"p":{"k0":0,"k1":1,"k0":2,${members}}}`;
  const { found } = parse(text, { names: ["k9"], path: ["p"] });
  const expected: [string, unknown][] = names.slice(0, 32).map((
    name,
  ) => [name, name]);
  assertEquals(Object.entries(found!.members), expected);
});

Deno.test("mayCollide() finds strings of digits whose hash is their number", () => {
  const digits = fc.string({
    unit: fc.constantFrom(..."0123456789"),
    minLength: 7,
    maxLength: 10,
  });
  fc.assert(fc.property(digits, fc.nat(9), (digits, at) => {
    assert(mayCollide(JSON.stringify(digits)));
    assert(mayCollide(JSON.stringify({ [digits]: "" })));
    const digit = digits[at % digits.length]!;
    const escaped = digits.replaceAll(digit, `\\u003${digit}`);
    assert(mayCollide(`"${escaped}"`));
  }));
  for (
    const text of [
      '{"a":"123456"}',
      "1234567",
      '"1234567 "',
      '"<\\u003c"',
      '""',
    ]
  ) {
    assertEquals(mayCollide(text), false);
  }
});

Deno.test("buildValue() builds the same values as JSON.parse(), without names that are large numbers", () => {
  for (const texts of [objects, spacedTexts]) {
    fc.assert(fc.property(texts.map((text) => text.toWellFormed()), (text) => {
      const value = buildValue(utf8Encoder.encode(text), Infinity);
      assertEquals(value, JSON.parse(text));
      assertEquals(JSON.stringify(value), JSON.stringify(JSON.parse(text)));
    }));
  }
  const bytes = utf8Encoder.encode('[{"a":"1234567"},2,3]');
  assertEquals(buildValue(bytes, 5), [{ a: "1234567" }, 2, 3]);
  const numbers = '{"1234567":1,"123456":2,"a1234567":3,"\\u00312345678":4}';
  const built = buildValue(utf8Encoder.encode(numbers), Infinity);
  assertEquals(built, { "123456": 2, a1234567: 3 });
  assertThrows(() => buildValue(bytes, 4), ValueCountError);
});
