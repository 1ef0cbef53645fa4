import { assertEquals } from "@std/assert";
import { repair } from "../../web/repair.js";
import {
  findDuplicate,
  findInner,
  parseToken,
  suggest,
} from "../../web/suggestions.js";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

Deno.test("suggest() offers to decode only what is already encoded", async (t) => {
  const encoded = [
    ` Authorization: Bearer ${TOKEN}\n`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
    `"${TOKEN}",`,
    "data:text/plain;base64,YWJj",
    "SGVsbG8sIHfD\ntnJsZCE",
    " w7zDvMO8\n".repeat(100_000),
  ];
  const plain = [
    ...["", "YWJj", "password", "Hello, world", "/w==/w==", "eyJ.x.y"],
    ...["deadbeefdeadbeef", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    // Long inputs that slow expressions down.
    ...[" ", "\r\n", "a ", "eyJhbGciOi.", "data:", '"']
      .map((text) => `A${text.repeat(500_000)}\u0001`),
  ];
  for (const input of [...encoded, ...plain]) {
    await t.step(input.slice(0, 40), () => {
      const values = { input, action: "encode" };
      const [suggestion] = suggest("base64", values, { result: "x" });
      const isEncoded = encoded.includes(input);
      assertEquals(suggestion?.to, isEncoded ? "decode" : undefined);
      const value = input.replace("data:text/plain;base64,", "");
      assertEquals(suggestion?.value, isEncoded ? value : undefined);
    });
  }
});

Deno.test("parseToken() accepts only a JSON object as the header", async (t) => {
  const token = (header: string) =>
    `${new TextEncoder().encode(header).toBase64()}.eyJzdWIiOiIxIn0.c2ln`
      .replaceAll("=", "");
  const tokens = [
    `'${TOKEN}'`,
    `Bearer ${TOKEN}`,
    token('\n{ "alg": "none" }'),
    token("{}"),
  ];
  const invalid = [
    ...["", "foo.bar.baz", "1234.5678", "example.com", `${TOKEN}.x`],
    ...[token("[]"), token("null"), token('"a"'), token("1")],
    ...["a.", "a-", "eyJ."].map((part) => part.repeat(500_000)),
  ];
  for (const text of [...tokens, ...invalid]) {
    await t.step(text.slice(0, 40), () => {
      const payload = tokens.includes(text) ? "eyJzdWIiOiIxIn0" : undefined;
      assertEquals(parseToken(text)?.at(-1), payload);
    });
  }
});

Deno.test("findInner() finds the JSON in a string, as programs and logs write it", () => {
  const rows = [
    ['"{\\"a\\":\\"\\\\n\\"}"', '{"a":"\\n"}'],
    ['{\\"a\\":1}', '{"a":1}'],
    [String.raw`  [\r\n  {\r\n \"a\": \"1\"\r\n  }\r\n]  `, '[{"a":"1"}]'],
    ['"{\n\\t\\"a\\": \\"1\\"}"\n', '{"a":"1"}'],
    [String.raw`[[\"a\\nb\", \"C:\\\\x\"]]`, '[["a\\nb","C:\\\\x"]]'],
  ] as const;
  for (const [text, expected] of rows) {
    const [{ value = "" } = {}] = findInner(text);
    assertEquals(JSON.stringify(JSON.parse(value)), expected, text);
  }
  const long = [`"${" ".repeat(500_000)}"`, `{${"\\n[".repeat(500_000)}`];
  for (const text of ['"a"', '"{"', '"1"', "[1]", "", ...long]) {
    assertEquals(findInner(text), [], text.slice(0, 40));
  }
});

Deno.test("findDuplicate() finds a name that one object has more than once", () => {
  const rows: [string, number | undefined][] = [
    ['{"a":1,"b":{"a":1,"\\u0061":2}}', 18],
    ['{"a":[{"b":1},{"b":2}],"c":"a","d":["a","a"]}', undefined],
    ['{"a,":{},"b":{"a,":1}}', undefined],
    ['{"__proto__":1,"a":2}', undefined],
    [String.raw`{"\\":1,"a\"{":2,"b":["\\\"",{}],"a\"{":3}`, 33],
    [`{"a":"${"x".repeat(12_000_000)}","a":1}`, 12_000_008],
    [`{"a":"${"\\n".repeat(2_000_000)}","a":1}`, 4_000_008],
  ];
  for (const [text, offset] of rows) {
    assertEquals(findDuplicate(text)[0]?.offset, offset, text.slice(0, 60));
  }
});

Deno.test("repair() keeps every name, value, and bracket, or repairs nothing", async (t) => {
  const repaired: readonly [text: string, repaired: string][] = [
    ["[True, False, None, undefined]", "[true,false,null,null]"],
    ['```json\n{"a":1, }\n```', '{"a":1}'],
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
  ];
  for (const [text, expected] of repaired) {
    await t.step(text, async () => {
      const result = (await repair(text))!;
      assertEquals(JSON.stringify(JSON.parse(result)), expected);
    });
  }
  const numbers = '{"b":1e400,"a":12345678901234567890.0';
  assertEquals(await repair(`${numbers},}`), `${numbers}}`);
  const rejected = [
    ...["", "[1} 2", "[".repeat(200_000), " ".repeat(262_145)],
    String.raw`{"a": "C:\Users\x",}`,
    String.raw`{"a": "\x41"}`,
    String.raw`{\"a\": \"x\ny\"}`,
    `{'a': "b\\`,
    ...["[1e, 2]", "[2.]", "[-", "[- 5]"],
    // Brackets that are missing or unbalanced.
    ...['["a",,"b"]', "[1,,2]", "[([1]),2]", "[1]]", '{"a":1}}', "[{]"],
    ...['{"a":[1,2,"b":3}', "[/a[b]/]"],
    // Numbers that aren't valid in JSON.
    ...["[NaN, -Infinity]", "[007]", "[0x1F]", "[1_000]", "[10n]", "[1e5L]"],
    ...["[.5]", "[nan]", "[1.5f]"],
    // Code and prose.
    ...["[1;2]", "[(1)]", "a: 1", "<a>", "hello world"],
  ];
  for (const text of rejected) {
    await t.step(text.slice(0, 40), async () => {
      assertEquals(await repair(text), undefined);
    });
  }
});
