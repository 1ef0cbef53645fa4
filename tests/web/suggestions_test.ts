import { assertEquals } from "@std/assert";
import { repair } from "../../web/repair.js";
import {
  findDuplicate,
  findInner,
  readToken,
  suggest,
} from "../../web/suggestions.js";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

Deno.test("suggest() offers to decode what is encoded already, and nothing else", async (t) => {
  const encoded = [
    TOKEN,
    ` Authorization: Bearer ${TOKEN}\n`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
    `"${TOKEN}",`,
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

Deno.test("suggest() looks into quotes", () => {
  const row = (action: string, input: string) => {
    const [found] = suggest("base64", { action, input }, { result: "x" });
    return found && [found.label, found.value];
  };
  const quoted = '"SGVsbG8sIHfDtnJsZCE=",';
  const value = "SGVsbG8sIHfDtnJsZCE=";
  assertEquals(row("encode", quoted), ["Decode it", value]);
  assertEquals(row("decode", quoted), ["Decode its content", value]);
  assertEquals(row("decode", value), undefined);
});

Deno.test("readToken() takes what has a JSON object as its header, and nothing else", async (t) => {
  const token = (header: string) =>
    `${new TextEncoder().encode(header).toBase64()}.eyJzdWIiOiIxIn0.c2ln`
      .replaceAll("=", "");
  const tokens = [
    TOKEN,
    `'${TOKEN}'`,
    `Bearer ${TOKEN}`,
    token(' {"alg":"none"}'),
    token('\n{ "alg": "none" }'),
    token('{\r\n"alg":"none"}'),
    token("{}"),
  ];
  const others = [
    ...["", "a.b", "foo.bar.baz", "1234.5678", "example.com", "eyJhbGciOi.x.y"],
    ...[token("[]"), token("null"), token('"a"'), token("1"), `${TOKEN}.x`],
    ...["a.", "a-", "eyJ."].map((part) => part.repeat(500_000)),
  ];
  for (const text of tokens) {
    await t.step(text, () => {
      assertEquals(readToken(text)?.at(-1), "eyJzdWIiOiIxIn0");
    });
  }
  for (const text of others) {
    await t.step(text.slice(0, 40), () => {
      assertEquals(readToken(text), undefined);
    });
  }
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
  assertEquals(findInner(`{${"\\n[".repeat(500_000)}`), []);
});

Deno.test("findInner() offers JSON as logs write it, with escaped and real line ends", () => {
  const rows = [
    String.raw`{\n\t\"aaaa\": \"1\"\n}`,
    String.raw`  [\r\n  {\r\n    \"aaaa\": \"1\"\r\n  }\r\n]  `,
    '{\n\t\\"aaaa\\": \\"1\\"\n}',
    '"{\n\\t\\"aaaa\\": \\"1\\"}"\n',
    String.raw`[[\"a\\nb\", \"C:\\\\x\"]]`,
  ];
  for (const text of rows) {
    const [{ value = "" } = {}] = findInner(text);
    const values = JSON.stringify(JSON.parse(value)).replaceAll(/[[\]{}]/g, "");
    const isLast = text === rows.at(-1);
    const expected = isLast ? '"a\\nb","C:\\\\x"' : '"aaaa":"1"';
    assertEquals(values, expected, text);
  }
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
    [String.raw`{"\\":1,"a\"{":2,"b":["\\\"",{}],"a\"{":3}`, 33],
    [`{"a":"${"x".repeat(12_000_000)}","a":1}`, 12_000_008],
  ];
  for (const [text, offset] of rows) {
    assertEquals(findDuplicate(text)[0]?.offset, offset, text.slice(0, 60));
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
    await t.step(text, async () => {
      assertEquals(JSON.parse((await repair(text))!), value);
    });
  }
  assertEquals(
    await repair('{"b":1e400,"a":12345678901234567890.0,}'),
    '{"b":1e400,"a":12345678901234567890.0}',
  );
  for (const text of ["", "[1} 2", "[".repeat(200_000), " ".repeat(262_145)]) {
    assertEquals(await repair(text), undefined);
  }
});

Deno.test("repair() keeps every name, every value and the structure, or repairs nothing", async (t) => {
  const kept: readonly [text: string, repaired: string][] = [
    [String.raw`{'a': 'it\'s', b: "x\u0041\n"}`, '{"a":"it\'s","b":"xA\\n"}'],
    ['{"a": 1, /* "b" */ "c": [2 3], // d\n}', '{"a":1,"c":[2,3]}'],
    ['cb({“a”: ‘say "x"’, ...});', '{"a":"say \\"x\\""}'],
    [
      "{a: http://b.c/d?e, f: 10px, g: h i}",
      '{"a":"http://b.c/d?e","f":"10px","g":"h i"}',
    ],
    ['{"a": NumberLong("2"), "b": "", c: ", x"', '{"a":"2","b":"","c":", x"}'],
    ['{"a":1}\n{"a":2}', '[{"a":1},{"a":2}]'],
    [String.raw`{\"a\": \"b\", \"c`, '{"a":"b","c":null}'],
    ["{1: 'a', 2024-01-01: x}", '{"1":"a","2024-01-01":"x"}'],
    ['{"a": [1, {"b": [2', '{"a":[1,{"b":[2]}]}'],
    ["[1],\n[2]", "[[1],[2]]"],
    ['{"null": None, "b": "line\n2"', '{"null":null,"b":"line\\n2"}'],
  ];
  for (const [text, expected] of kept) {
    await t.step(text, async () => {
      const repaired = await repair(text);
      const compact = repaired && JSON.stringify(JSON.parse(repaired));
      assertEquals(compact, expected);
    });
  }
  const changed = [
    String.raw`{"a": "C:\Users\x",}`,
    String.raw`{"a": "C:\New",}`,
    String.raw`{"a": "\x41"}`,
    String.raw`{\"a\": \"x\ny\"}`,
    `{'a': "b\\`,
    ...["[1e, 2]", "[2.]", "[-", "[- 5]"],
    // Brackets that are not there, and some that are.
    ...['["a",,"b"]', "[1,,2]", "[([1]),2]", "[1]]", '{"a":1}}', "[{]"],
    ...['{"a":[1,2,"b":3}', "[/a[b]/]"],
    // Numbers, but not of JSON.
    ...["[NaN, -Infinity]", "[007]", "[0x1F]", "[1_000]", "[10n]", "[1e5L]"],
    ...["[.5]", "[nan]", "[1.5f]"],
    // Code and prose.
    ...["[1;2]", "[(1)]", "a: 1", "<a>", "hello world"],
  ];
  for (const text of changed) {
    await t.step(text, async () => {
      assertEquals(await repair(text), undefined);
    });
  }
});
