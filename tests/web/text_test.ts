import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  describeSize,
  escapeUnseen,
  findPosition,
  nameLineEnds,
  quoteForShell,
  setLineEnds,
} from "../../web/text.js";
import { post } from "../_client.ts";

Deno.test("describeSize() counts bytes of UTF-8", () => {
  assertEquals(describeSize(""), "0 bytes");
  assertEquals(describeSize("a"), "1 byte");
  assertEquals(describeSize("é漢😀"), "9 bytes");
  assertEquals(describeSize(1_048_576), "1,048,576 bytes");
});

Deno.test("nameLineEnds() names what there is", () => {
  const names = {
    "": "",
    a: "",
    "a\nb": "LF",
    "a\r\nb\r\n": "CRLF",
    "a\rb": "CR",
    "\r\r\n": "mixed",
    "\n\r\n": "mixed",
    "\r\n\n": "mixed",
    "a\rb\nc": "mixed",
  };
  for (const [text, name] of Object.entries(names)) {
    assertEquals(nameLineEnds(text), name, JSON.stringify(text));
  }
});

const texts = fc.string({
  unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n", "é"),
  maxLength: 30,
});

Deno.test("setLineEnds() changes nothing but line ends", () => {
  fc.assert(fc.property(texts, (text) => {
    const lines = text.split(/\r\n|\r|\n/);
    assertEquals(setLineEnds(text, "\n"), lines.join("\n"));
    assertEquals(setLineEnds(text, "\r\n"), lines.join("\r\n"));
  }));
});

Deno.test("findPosition() finds where the service says that a text is no JSON", async () => {
  const cases = [
    ["[1,]", 3],
    ["[\n\n  x]", 5],
    ['{"😀": ?}', 7],
    ["[1", 2],
    ["[\t漢x]", 2],
    ["[\r\n1,\r2\n\r, x]", 11],
  ] as const;
  for (const [text, offset] of cases) {
    const { body } = await post("/api/json", {
      action: "validate",
      input: text,
    });
    assertEquals(findPosition(String(body!["result"]), text), offset, text);
  }
  assertEquals(findPosition("something else", "[]"), undefined);
});

Deno.test("findPosition() finds the offset of a character that is no Base64", async () => {
  const fields = { action: "decode", input: "QUJD\nQU*D" };
  const { body } = await post("/api/base64", fields);
  assertEquals(findPosition(String(body!["error"]), fields.input), 7);
});

Deno.test("quoteForShell() quotes what a shell would read", () => {
  assertEquals(quoteForShell("a b"), "'a b'");
  assertEquals(quoteForShell("it's $x"), "'it'\\''s $x'");
});

Deno.test("escapeUnseen() escapes invisible characters and keeps the value", () => {
  const value = {
    text: "a\x7f\x85\xad\u061c\u200e\u202ex\u2066\ufeff\u2028é😀\t",
  };
  const escaped = escapeUnseen(JSON.stringify(value));
  assertEquals(JSON.parse(escaped), value);
  assert(!/[\p{Cc}\p{Cf}\u2028]/u.test(escaped));
  assert(escaped.includes("é😀"));
});
