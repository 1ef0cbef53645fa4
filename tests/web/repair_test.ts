import { assert, assertEquals } from "@std/assert";
import fc, { times } from "../_property.ts";
import { findRepairs } from "../../web/repair.js";

/** The repaired texts and the reasons that are offered. */
function repair(text: string): string[][] {
  return findRepairs(text).map(({ says, value }) => [value, says]);
}

Deno.test("findRepairs() repairs what people paste", async (t) => {
  const rows: [string, string, string][] = [
    ['{"a": [1, 2 ,\n], }', '{"a": [1, 2 \n] }', "trailing commas"],
    ["{'a': 'it\\'s \"b\"'}", '{"a": "it\'s \\"b\\""}', "single quotes"],
    [
      "['a', \"it's, ]\",]",
      '["a", "it\'s, ]"]',
      "single quotes and trailing commas",
    ],
    [`['\\"']`, '["\\""]', "single quotes"],
    ["{“a”: ‘b’}", '{"a": "b"}', "curly quotes"],
    ["{a: 1, $b-c: 2}", '{"a": 1, "$b-c": 2}', "unquoted names"],
    [
      "// x\n[1, /* y */ 2] # z",
      "\n[1,  2] ",
      "comments",
    ],
    [
      "[NaN, -Infinity]",
      "[null, null]",
      "NaN (it becomes null) and -Infinity (it becomes null)",
    ],
    ["[True, False, None]", "[true, false, null]", "True, False and None"],
    ['["a\nb"]', '["a\\nb"]', "line breaks or tabs in strings"],
    ['{"a": [1', '{"a": [1]}', "no end"],
    ['{"a": "b', '{"a": "b"}', "no end"],
    ['{"a": "b\\', '{"a": "b"}', "no end"],
    ['["a\\\\', '["a\\\\"]', "no end"],
    ['["a\\\\\\', '["a\\\\"]', "no end"],
    ['["a\\\\\\u00', '["a\\\\"]', "no end"],
    ['["a\\u00e9', '["a\\u00e9"]', "no end"],
    ["['a", '["a"]', "no end and single quotes"],
    ['{"a": 1, "b', '{"a": 1}', "an unfinished end (it is left out)"],
    ['{"a": 1, "b": ', '{"a": 1}', "an unfinished end (it is left out)"],
    ["[1,", "[1]", "no end"],
    ["\ufeff[1,]", " [1]", "trailing commas"],
  ];
  for (const [text, repaired, words] of rows) {
    await t.step(text, () => {
      assertEquals(repair(text), [[repaired, `It has ${words}.`]]);
      JSON.parse(repaired);
    });
  }
});

Deno.test("findRepairs() repairs nothing that it does not understand", () => {
  const texts = ["[1,,]", "it's, ]", "", "[,]", "[1}", '{"a" 1}', "{1 2}"];
  for (const text of [...texts, "[1] 2", "{a}", "[tru", "]", "[1 2]", ":"]) {
    assertEquals(findRepairs(text), [], text);
  }
});

Deno.test("findRepairs() offers valid JSON for any text", () => {
  const unit = fc.constantFrom(
    ..."{}[]:,'\"\\/# \n1aT-",
    "//",
    "NaN",
    '"a"',
    "“",
    "”",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      for (const { value } of findRepairs(text)) {
        // A bad escape in a string stays: the service refuses it, and nothing is offered.
        if (!text.includes("\\")) JSON.parse(value);
      }
    }),
    { numRuns: times(1_000) },
  );
});

Deno.test("findRepairs() changes nothing but what it names", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
    const json = JSON.stringify(value, null, 1);
    const text = json.replace(/(?<=[\]}\d"el])\n( *[\]}])/g, ",\n$1");
    for (const repaired of findRepairs(text)) {
      assertEquals(repaired.value.replaceAll(/,(?=\n *[\]}])/g, ""), json);
    }
    // A beginning of a text is completed to some JSON.
    for (const { value } of findRepairs(json.slice(0, cut % json.length))) {
      JSON.parse(value);
    }
  }));
});

Deno.test("findRepairs() takes a long text", () => {
  for (
    const text of [
      `[${'"\\\\aaaa", '.repeat(40_000)}]`,
      `['${"x\\'".repeat(150_000)}']`,
      "[".repeat(500_000),
      "[1,]".repeat(10),
    ]
  ) assert(findRepairs(text).length <= 1);
  assertEquals(findRepairs(`[${"1,".repeat(300_000)}]`), []);
});

Deno.test("findRepairs() names JSON Lines and makes them an array", () => {
  const [lines] = findRepairs('{"a":1}\r\n\n[2]\n');
  assertEquals(lines?.says, "This is JSON Lines: 2 texts, one a line.");
  assertEquals(JSON.parse(lines!.value), [{ a: 1 }, [2]]);
});

Deno.test("findRepairs() unwraps escaped JSON without its quotes", () => {
  const [bare] = findRepairs('{\\"a\\":\\"\\\\n\\"}');
  assertEquals([bare?.label, bare?.value], ["Unwrap", '{"a":"\\n"}']);
});
