/** Bodies and messages that `JSON.parse()` does not read. */

import { assert, assertEquals, assertThrows } from "@std/assert";
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
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.array(
    fc.tuple(fc.constantFrom(...NAMES), tie("value")),
    { maxLength: 5 },
  ).map((members) => Object.fromEntries(members)),
})).object;

/** The ways to write the names of an object. */
const NOTATIONS: readonly ((name: string) => string)[] = [
  (name) => JSON.stringify(name),
  (name) => JSON.stringify(name).replace(/(?<=^")1/, "\\u0031"),
  (name) => `"${name.replaceAll(/[^]/g, escapeCharacter)}"`,
  (name) => `"${name.replaceAll(/[^](?!.)/g, escapeCharacter)}"`,
];

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes a value as JSON, with its names in one of the notations. */
function writeJson(value: unknown, notation: (name: string) => string): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => writeJson(element, notation))}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) =>
    `${notation(name)}:${writeJson(member, notation)}`
  );
  return `{${members}}`;
}

/** The result of `readMembers()` that a value stands for. */
function select(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? [] : [undefined];
  const members = depth === 0 ? [] : Object.entries(value).map(
    ([name, member]) =>
      WANTED.includes(name)
        ? [name, select(member, depth - 1)]
        : [name, undefined],
  );
  // There are never more than five other names.
  return Object.fromEntries(members);
}

// Not compared with `JSON.parse()`, which reads names wrongly after some other texts.
Deno.test("readMembers() reads what was written, down to a depth", () => {
  const depths = fc.integer({ min: 1, max: 4 });
  const notations = fc.constantFrom(...NOTATIONS);
  fc.assert(
    fc.property(objects, notations, depths, (object, notation, depth) => {
      const text = writeJson(object, notation);
      const expected = select(object, depth);
      assertEquals(read(text, WANTED, depth), expected);
      const short = readMembers(utf8Encoder.encode(text), WANTED, depth);
      assertEquals(select(short, depth), expected);
    }),
    { numRuns: times(600) },
  );
});

Deno.test("readMembers() reads an escaped name alike, whatever was read before", async (t) => {
  const rows = [
    ['{"p":1,"\\\\":2}', '{"p":1,"\\u0061":2}', { p: 1, a: 2 }],
    ['{"q":1,"\\u005c":2}', '{"q":1,"\\u0061":2}', { q: 1, a: 2 }],
    ['{"r":1,"a\\\\":2}', '{"r":1,"a\\u0062":2}', { r: 1, ab: 2 }],
    ['{"s":1,"\\\\u0":2}', '{"s":1,"\\u0061bc":2}', { s: 1, abc: 2 }],
    ['{"t":1,"a\\\\\\"":2}', '{"t":1,"a\\"b":2}', { t: 1, 'a"b': undefined }],
    ['{"u":1,"\\\\" :2}', '{"u":1,"\\u0061"\n:2}', { u: 1, a: 2 }],
    ['{"w":1,"a\\\\":2}', '{"w":1,"a\\/":2}', { w: 1, "a/": 2 }],
    ['{"y":"\\n","\\\\":2}', '{"y":"\\n","\\u0061":2}', {
      y: undefined,
      a: 2,
    }],
    ['{"a/":1,"\\\\n":2}', '{"a/":1,"\\n\\\\":2}', {
      "a/": 1,
      "\n\\": undefined,
    }],
    ['{"é":1,"é\\\\":2}', '{"é":1,"é\\u0061":2}', {
      é: undefined,
      éa: undefined,
    }],
  ] as const;
  for (const [earlier, text, expected] of rows) {
    await t.step(`${text} after ${earlier}`, () => {
      const names = ["p", "q", "r", "s", "t", "u", "w", "a", "ab", "abc", "a/"];
      readMembers(utf8Encoder.encode(earlier), names);
      assertEquals(readMembers(utf8Encoder.encode(text), names), expected);
    });
  }
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
            error.message,
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
    ["digits after it", '{"\\n0061b":1}', { "\n0061b": undefined }],
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
    ["an array", "[1,[2]]", [undefined]],
    ["an empty array", "[ ]", []],
    ["arrays", '{"ab":[\n],"a/b":[[]]}', { ab: [], "a/b": [undefined] }],
  ] as const;
  for (const [name, text, expected] of rows) {
    await t.step(name, () => {
      assertEquals(read(text, ["ab", "a/b"]), expected);
    });
  }
});

Deno.test("readMembers() returns the first five of the other names", () => {
  const text = JSON.stringify({ b: 0, c: 0, a: 1, d: 0, e: 0, f: 0, g: 0 });
  const names = Object.keys(read(text, ["a"])!).toSorted();
  assertEquals(names, ["a", "b", "c", "d", "e", "f"]);
});

Deno.test("readMembers() parses no part of a text again and again", () => {
  const { parse } = JSON;
  let length = 0;
  using _parse = replace(JSON, {
    parse(text: string) {
      length += text.length;
      return parse(text);
    },
  });
  const string = `"${"x".repeat(1_000)}"`;
  const bytes = utf8Encoder.encode(`{${`"a":${string},`.repeat(500)}"a":1}`);
  readMembers(bytes, ["a"]);
  assert(length < 2 * bytes.length, `${length} of ${bytes.length}`);
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
        strings.replaceAll(/\d/g, "\\u003$&"),
        `{${digits.map((name) => `"${name}":0`)}}`,
        `{"a":"\\u0031638400","x":${strings}}`,
      ]
    ) readMembers(utf8Encoder.encode(text), ["a"]);
  }
  assertEquals(colliding, []);
});
