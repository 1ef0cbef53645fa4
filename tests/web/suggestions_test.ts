import { assert, assertEquals } from "@std/assert";
import fc, { times } from "../_random.ts";
import {
  findDuplicate,
  findInner,
  repair,
  suggest,
} from "../../web/suggestions.js";
import { splitToken } from "../../web/tools.js";

/** The offers for a text in one tool: labels and texts. */
function offer(
  tool: string,
  input: string,
  { action = "format", isWrong = true } = {},
): [string, string][] {
  const outcome = isWrong ? { wrong: "x" } : { result: "x" };
  return suggest(tool, { input, action }, outcome)
    .map(({ label, value = "" }) => [label, value]);
}

Deno.test("suggest() recognises a data URL to be decoded", () => {
  const decode = { action: "decode" };
  assertEquals(
    offer("base64", "data:text/plain;charset=utf-8;base64,YWJj", decode),
    [["Decode its content", "YWJj"]],
  );
  assertEquals(offer("base64", "YWJj", decode), []);
});

Deno.test("suggest() takes a long text", () => {
  for (
    const text of [" ", "\r\n", "a ", "Basic ", "eyJhbGciOi.", "data:", '"']
  ) {
    for (const tool of ["base64", "json"]) {
      const input = `A${text.repeat(500_000)}\u0001`;
      assertEquals(offer(tool, input, { action: "encode" }), []);
    }
  }
});

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

Deno.test("suggest() offers to decode what is encoded already", async (t) => {
  const encode = { action: "encode" };
  const encoded = [
    TOKEN,
    `Authorization: Bearer ${TOKEN}`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
    "data:text/plain;base64,YWJj",
    "SGVsbG8sIHfDtnJsZCE=",
    "SGVsbG8sIHfD\ntnJsZCE",
    "w7zDvMO8".repeat(100_000),
    " w7zDvMO8\n".repeat(100_000),
  ];
  for (const text of encoded) {
    await t.step(text.slice(0, 40), () => {
      const [hint] = suggest("base64", { input: text, ...encode }, {
        result: "x",
      });
      assertEquals(hint?.to, "decode");
      assertEquals(hint?.value, text);
    });
  }
  const others = [
    "",
    "YWJj",
    "password",
    "username",
    "Hello, world",
    "deadbeefdeadbeef",
    "/w==/w==",
    "a9993e364706816aba3e25717850c26c9cd0d89d",
    "eyJ.x.y",
    "a line of text\n".repeat(50_000),
  ];
  for (const text of others) {
    await t.step(`not ${text.slice(0, 40)}`, () => {
      assertEquals(offer("base64", text, encode), []);
    });
  }
  assertEquals(offer("hash", TOKEN), []);
});

Deno.test("splitToken() finds the header and the payload", () => {
  const parts = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxIn0"];
  assertEquals(splitToken(` Bearer ${TOKEN}\n`), parts);
  assertEquals(splitToken(parts.join(".")), parts);
  assertEquals(splitToken(parts[0]!), undefined);
});

Deno.test("suggest() offers to remove a byte order mark in every tool", () => {
  for (const tool of ["base64", "hash", "json"]) {
    const [first] = offer(tool, "\ufeff[1]", { isWrong: false });
    assertEquals(first, ["Remove it", "[1]"]);
  }
  assert(offer("hash", "a\ufeff").length === 0);
});

Deno.test("suggest() opens a decoded result as JSON", () => {
  const decode = { action: "decode", input: "x" };
  const [json] = suggest("base64", decode, { result: "[1]" });
  assertEquals([json?.value, json?.to], ["[1]", "json"]);
  const [token] = suggest("base64", decode, { result: "", parts: ["a", "b"] });
  assertEquals([token?.value, token?.to], ["b", "json"]);
  assertEquals(suggest("base64", decode, { result: "1" }), []);
});

Deno.test("findInner() offers the JSON inside a string, with and without quotes", () => {
  const inner = '{"a":"\\n"}';
  const quoted = JSON.stringify(inner);
  for (const text of [quoted, quoted.slice(1, -1)]) {
    const [whole] = findInner(text);
    assertEquals([whole?.label, whole?.value], ["Unwrap", inner]);
  }
  for (const text of ['"a"', '"{"', '"1"', "[1]", ""]) {
    assertEquals(findInner(text), [], text);
  }
  assertEquals(findInner(`"${" ".repeat(500_000)}"`), []);
});

Deno.test("findDuplicate() finds a name that one object has twice", () => {
  const rows: [string, number | undefined][] = [
    ['{"a":1,"b":{"a":1,"\\u0061":2}}', 18],
    ['{"a":1,"a":2}', 7],
    ['{"a":[{"b":1},{"b":2}],"c":"a","d":["a","a"]}', undefined],
    ['["a","a"]', undefined],
    ['{"a":"a","b":"a"}', undefined],
    ['{"a,":{},"b":{"a,":1}}', undefined],
    ['{"__proto__":1,"a":2}', undefined],
  ];
  for (const [text, offset] of rows) {
    assertEquals(findDuplicate(text)[0]?.offset, offset, text);
  }
});

Deno.test("repair() repairs what people paste, and keeps numbers and order", async (t) => {
  const rows: [string, unknown][] = [
    ['{"a": [1, 2 ,\n], }', { a: [1, 2] }],
    ["{'a': 'it\\'s \"b\"'}", { a: 'it\'s "b"' }],
    ["{“a”: ‘b’}", { a: "b" }],
    ["{a: 1, $b-c: 2}", { a: 1, "$b-c": 2 }],
    ["// x\n[1, /* y */ 2]", [1, 2]],
    ["[True, False, None, undefined]", [true, false, null, null]],
    ['["a\nb"]', ["a\nb"]],
    ['{"a": [1', { a: [1] }],
    ['{"a": "b\\', { a: "b" }],
    ['{"a": 1, "b": ', { a: 1, b: null }],
    ["\ufeff[1,]", [1]],
    ['{"a":1}\r\n\n[2]\n', [{ a: 1 }, [2]]],
    ['```json\n{"a":1}\n```', { a: 1 }],
  ];
  for (const [text, value] of rows) {
    await t.step(text, () => assertEquals(JSON.parse(repair(text)!), value));
  }
  assertEquals(
    repair('{"b":1e400,"a":12345678901234567890.0,}'),
    [
      '{"b":1e400,"a":12345678901234567890.0}',
    ].join(),
  );
  for (const text of ["", "[1} 2", "[".repeat(200_000), " ".repeat(262_145)]) {
    assertEquals(repair(text), undefined);
  }
});

Deno.test("repair() changes no valid JSON, and completes the start of one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const json = JSON.stringify(value, null, 1);
      assertEquals(repair(json), json);
      const repaired = repair(json.slice(0, cut % json.length));
      if (repaired !== undefined) JSON.parse(repaired);
    }),
    { numRuns: times(200) },
  );
});
