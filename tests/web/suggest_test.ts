import { assert, assertEquals } from "@std/assert";
import { suggest } from "../../web/suggest.js";

/** The offers for a text in one tool: labels and texts. */
function offer(
  tool: string,
  input: string,
  { action = "format", isWrong = true } = {},
): [string, string][] {
  return suggest(tool, { input, action }, isWrong).map(({ label, value }) => [
    label,
    value,
  ]);
}

Deno.test("suggest() repairs JSON where the repair is certain", async (t) => {
  const rows: [string, string, string][] = [
    ["a trailing comma", '{"a": [1, 2 ,\n], }', '{"a": [1, 2 \n] }'],
    ["single quotes", "{'a': 'it\\'s \"b\"'}", '{"a": "it\'s \\"b\\""}'],
    ["both", "['a', \"it's, ]\",]", '["a", "it\'s, ]"]'],
    ["an escaped quote", `['\\"']`, '["\\""]'],
  ];
  for (const [name, text, repaired] of rows) {
    await t.step(name, () => {
      assertEquals(offer("json", text), [["Repair", repaired]]);
      JSON.parse(repaired);
    });
  }
});

Deno.test("suggest() repairs nothing that it does not understand", () => {
  const texts = ["[1,,]", "{a: 1,}", "['a", "[1", "it's, ]", "", "[,]"];
  for (const text of texts) assertEquals(offer("json", text), [], text);
  assertEquals(offer("json", '[",]"]', { isWrong: false }), []);
  assertEquals(offer("hash", "['a']"), []);
});

Deno.test("suggest() takes a long text", () => {
  const text = `[${'"\\\\aaaa", '.repeat(100_000)}]`;
  assertEquals(offer("json", text).length, 1);
  assertEquals(offer("json", `['${"x\\'".repeat(300_000)}']`).length, 1);
});

Deno.test("suggest() names JSON Lines and makes them an array", () => {
  const [lines] = suggest("json", { input: '{"a":1}\r\n\n[2]\n' }, true);
  assertEquals(lines?.says, "This is JSON Lines: 2 texts, one a line.");
  assertEquals(JSON.parse(lines!.value), [{ a: 1 }, [2]]);
});

Deno.test("suggest() recognises a data URL and a JSON Web Token to be decoded", () => {
  const decode = { action: "decode" };
  assertEquals(
    offer("base64", "data:text/plain;charset=utf-8;base64,YWJj", decode),
    [["Decode its content", "YWJj"]],
  );
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";
  assertEquals(offer("base64", `${token}\n`, decode), [
    ["Decode the payload", "eyJzdWIiOiIxIn0"],
    ["Decode the header", "eyJhbGciOiJIUzI1NiJ9"],
  ]);
  assertEquals(offer("base64", token, { action: "encode" }), []);
  assertEquals(offer("base64", "YWJj", decode), []);
});

Deno.test("suggest() offers to remove a byte order mark in every tool", () => {
  for (const tool of ["base64", "hash", "json"]) {
    const [first] = offer(tool, "\ufeff[1]", { isWrong: false });
    assertEquals(first, ["Remove it", "[1]"]);
  }
  assert(offer("hash", "a\ufeff").length === 0);
});
