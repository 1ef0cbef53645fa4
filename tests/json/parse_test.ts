import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { JsonTextError } from "../../lib/json/error.ts";
import { parseLargeJson, Source } from "../../lib/json/parse.ts";
import { findJsonError } from "../../lib/json/scan.ts";
import { runAtOnce } from "../../lib/work.ts";
import { mutatedTexts, spacedTexts } from "./_random.ts";

const NAMES = ["params", "arguments", "a", "__proto__", "\u0031", "12345", ""];

const utf8Encoder = new TextEncoder();

function toSource(text: string): Source {
  return new Source(text, utf8Encoder.encode(text));
}

/** Objects whose members are named at random, some of them like the path. */
const objects = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
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
function parseOutermost(text: string): unknown {
  const value = JSON.parse(text);
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return [];
  return toMembers(
    Object.entries(value).map(([name, member]) => [
      name,
      isContainer(member) ? Array.isArray(member) ? [] : toMembers([]) : member,
    ]),
  );
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toMembers(entries: [string, unknown][]): Record<string, unknown> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

Deno.test("a large text is parsed like a small one, without nested values", () => {
  for (const texts of [objects, spacedTexts, mutatedTexts]) {
    fc.assert(
      // A body is UTF-8, so it has no lone surrogates.
      fc.property(texts.map((text) => text.toWellFormed()), (text) => {
        const error = findJsonError(text);
        try {
          const { value } = runAtOnce(parseLargeJson(toSource(text)));
          assertEquals(error, undefined);
          assertEquals(value, parseOutermost(text));
        } catch (thrown) {
          assert(thrown instanceof JsonTextError, text);
          assertEquals(thrown.message, error);
        }
      }),
      { numRuns: 3_000 },
    );
  }
});

Deno.test("the object at the end of a path is parsed and found in a large text", () => {
  const path = ["params", "arguments"];
  fc.assert(
    fc.property(objects, objects, (args, other) => {
      const text =
        `{"a":${other}, "params": {"b":[${other}],"arguments" :${args} } ,"c":1}`;
      const { found } = runAtOnce(parseLargeJson(toSource(text), path));
      assert(found !== undefined);
      const { start, end } = found;
      assertEquals(toSource(text).slice(start, end), args);
      assertEquals(found.members, parseOutermost(args));
    }),
  );
  for (
    const text of ['{"arguments":{}}', '{"params":[{"arguments":{}}]}', "1"]
  ) {
    const { found } = runAtOnce(parseLargeJson(toSource(text), path));
    assertEquals(found, undefined);
  }
});

Deno.test("the parsing of a large text pauses", () => {
  const members = Array.from({ length: 5_000 }, (_, i) => `"${i}":${i}`);
  const nested = `{"a":[${"[],".repeat(100_000)}[]]}`;
  const long = Array.from(
    { length: 20 },
    (_, i) => `"${i}":"${"a".repeat(30_000)}"`,
  );
  for (const text of [`{${members}}`, nested, `{${long}}`]) {
    assert([...parseLargeJson(toSource(text))].length >= 4);
  }
});
