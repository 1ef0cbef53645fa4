import { assert, assertEquals } from "@std/assert";
import { splitToken, suggest } from "../../web/suggest.js";

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

Deno.test("suggest() recognises a data URL and a name with its password to be decoded", () => {
  const decode = { action: "decode" };
  assertEquals(
    offer("base64", "data:text/plain;charset=utf-8;base64,YWJj", decode),
    [["Decode its content", "YWJj"]],
  );
  assertEquals(offer("base64", "Authorization: Basic YTpi\n", decode), [
    ["Decode them", "YTpi"],
  ]);
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
    "Basic YTpi",
    "SGVsbG8sIHfDtnJsZCE=",
    "SGVsbG8sIHfD\ntnJsZCE",
    "iVBORw0KGgoAAAANSUhEUg==",
    "w7zDvMO8".repeat(100_000),
    " w7zDvMO8\n".repeat(100_000),
  ];
  for (const text of encoded) {
    await t.step(text.slice(0, 40), () => {
      const [hint] = suggest("base64", { input: text, ...encode }, false);
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
