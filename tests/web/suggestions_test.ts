import { assertEquals } from "@std/assert";
import {
  findDuplicate,
  findInner,
  repair,
  suggest,
} from "../../web/suggestions.js";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

Deno.test("suggest() offers to decode what is encoded already, and nothing else", async (t) => {
  const encoded = [
    TOKEN,
    ` Authorization: Bearer ${TOKEN}\n`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
    "data:text/plain;base64,YWJj",
    "SGVsbG8sIHfDtnJsZCE=",
    "SGVsbG8sIHfD\ntnJsZCE",
    "w7zDvMO8".repeat(100_000),
    " w7zDvMO8\n".repeat(100_000),
  ];
  const others = [
    ...["", "YWJj", "password", "username", "Hello, world", "/w==/w=="],
    ...["deadbeefdeadbeef", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    "eyJ.x.y",
    "a line of text\n".repeat(50_000),
    // Long texts that slow expressions down.
    ...[" ", "\r\n", "a ", "Basic ", "eyJhbGciOi.", "data:", '"']
      .map((text) => `A${text.repeat(500_000)}\u0001`),
  ];
  for (const input of [...encoded, ...others]) {
    await t.step(input.slice(0, 40), () => {
      const values = { input, action: "encode" };
      const [hint] = suggest("base64", values, { result: "x" });
      const isEncoded = encoded.includes(input);
      assertEquals(hint?.to, isEncoded ? "decode" : undefined);
      // The content of a data URL is decoded without what comes before it.
      const value = input.replace("data:text/plain;base64,", "");
      assertEquals(hint?.value, isEncoded ? value : undefined);
    });
  }
  const decode = { input: "", action: "decode" };
  const [json] = suggest("base64", decode, { result: "[1]" });
  assertEquals([json?.value, json?.to], ["[1]", "json"]);
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
    ["{a: 1, $b-c: 2}", { a: 1, "$b-c": 2 }],
    ["[True, False, None, undefined]", [true, false, null, null]],
    ['{"a": 1, "b": ', { a: 1, b: null }],
    ['```json\n{"a":1}\n```', { a: 1 }],
  ];
  for (const [text, value] of rows) {
    await t.step(text, () => assertEquals(JSON.parse(repair(text)!), value));
  }
  assertEquals(
    repair('{"b":1e400,"a":12345678901234567890.0,}'),
    '{"b":1e400,"a":12345678901234567890.0}',
  );
  for (const text of ["", "[1} 2", "[".repeat(200_000), " ".repeat(262_145)]) {
    assertEquals(repair(text), undefined);
  }
});
