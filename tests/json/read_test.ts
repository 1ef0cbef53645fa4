/** `readMembers()`, which reads bodies and messages instead of `JSON.parse()`. */

import {
  assert,
  assertEquals,
  assertNotEquals,
  assertThrows,
} from "@std/assert";
import fc, { anyText, mutatedTexts, times } from "../_random.ts";
import { replace } from "../_replace.ts";
import { JsonTextError } from "../../lib/json/error.ts";
import { findJsonError } from "../../lib/json/mod.ts";
import { readMembers } from "../../lib/json/read.ts";

/** Names that occur in the random objects. */
const NAMES = ["params", "arguments", "a", "__proto__", "1", "12345", ""];

/** The names that are read. */
const WANTED = ["params", "arguments", "__proto__", "1", ""];

const utf8Encoder = new TextEncoder();

function read(text: string, names: readonly string[] = WANTED, depth = 1) {
  return readMembers(utf8Encoder.encode(text), { names, depth });
}

/** Strings of up to 160,000 characters. JSON escapes many of them. */
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

/** Notations of the names of an object. */
const NOTATIONS: readonly ((name: string) => string)[] = [
  (name) => JSON.stringify(name),
  (name) => JSON.stringify(name).replace(/(?<=^")1/, "\\u0031"),
  (name) => `"${name.replaceAll(/[^]/g, escapeCharacter)}"`,
  (name) => `"${name.replaceAll(/[^](?!.)/g, escapeCharacter)}"`,
];

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Formats a value as JSON, with its names in one of the notations. */
function formatJson(
  value: unknown,
  notation: (name: string) => string,
): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => formatJson(element, notation))}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) =>
    `${notation(name)}:${formatJson(member, notation)}`
  );
  return `{${members}}`;
}

/** The expected result of `readMembers()` for a value. */
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

// Not compared with `JSON.parse()`, which can return names of earlier documents.
Deno.test("readMembers() reads what was written, down to a depth", () => {
  const depths = fc.integer({ min: 1, max: 4 });
  const notations = fc.constantFrom(...NOTATIONS);
  fc.assert(
    fc.property(objects, notations, depths, (object, notation, depth) => {
      const text = formatJson(object, notation);
      assertEquals(read(text, WANTED, depth), select(object, depth));
    }),
    { numRuns: times(600) },
  );
});

Deno.test("readMembers() can return strings as UTF-8", () => {
  const notations = fc.constantFrom(
    JSON.stringify,
    (string: string) => `"${string.replaceAll(/[^]/g, escapeCharacter)}"`,
  );
  const documents = fc.tuple(fc.oneof(anyText(), longStrings), notations);
  const options = { names: ["a", "b"], utf8Names: ["a"] };
  let utf8Count = 0;
  fc.assert(
    fc.property(documents, ([string, notation]) => {
      const text = `{"a":${notation(string)},"b":${notation(string)}}`;
      const members = readMembers(utf8Encoder.encode(text), options);
      const { a, b } = members as Record<string, unknown>;
      assertEquals(b, string);
      if (a instanceof Uint8Array) utf8Count += 1;
      assertEquals(a, a === string ? string : utf8Encoder.encode(string));
    }),
    { numRuns: times(600) },
  );
  assertNotEquals(utf8Count, 0);
});

Deno.test("readMembers() throws the error that findJsonError() finds", () => {
  const documents = mutatedTexts.map((text) => text.toWellFormed());
  fc.assert(
    fc.property(documents, (text) => {
      const member = ` {"x": 1, "a": ${text} }\n`;
      const longer = member.replace('"a": "', `"a": "${" ".repeat(500)}`);
      for (const document of [text, member, longer]) {
        const error = findJsonError(document);
        const bytes = utf8Encoder.encode(document);
        if (error === undefined) readMembers(bytes, { names: ["a"], depth: 2 });
        else {
          assertThrows(
            () => readMembers(bytes, { names: ["a"], depth: 2 }),
            JsonTextError,
            error.message,
          );
        }
      }
    }),
    { numRuns: times(600) },
  );
});

Deno.test("readMembers() distinguishes names, and returns the last of equal ones", async (t) => {
  const rows = [
    ["another escape", '{"a\\b":1}', { "a\b": undefined }],
    ["digits after an escape", '{"\\n0061b":1}', { "\n0061b": undefined }],
    ["hexadecimal letters", '{"\\u006A\\u006a":1}', { "jj": undefined }],
    ["an escape above ASCII", '{"\\u0161b":1}', { "šb": undefined }],
    ["uppercase", '{"AB":1}', { AB: undefined }],
    ["equal names", '{"ab":1,"\\u0061b":[],"ab":"2"}', { ab: "2" }],
    ["an object last", '{"ab":"1","ab":{"ab":1}}', { ab: {} }],
  ] as const;
  for (const [name, text, expected] of rows) {
    await t.step(name, () => assertEquals(read(text, ["ab"]), expected));
  }
});

Deno.test("readMembers() parses no part of a document repeatedly", () => {
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
  readMembers(bytes, { names: ["a"] });
  assert(length < 2 * bytes.length, `${length} of ${bytes.length}`);
});

Deno.test("strings that collide in V8's table never reach JSON.parse()", () => {
  const { parse } = JSON;
  // An error thrown here would be treated as one of the document.
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
    ) readMembers(utf8Encoder.encode(text), { names: ["a"] });
  }
  assertEquals(colliding, []);
});
