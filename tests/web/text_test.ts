import { assertEquals } from "@std/assert";
import fc from "../_random.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  compareDigest,
  countBytes,
  decodeBase64,
  describeSize,
  findBlocks,
  findPosition,
  formatList,
  nameLineEnds,
  namePlace,
  setLineEnds,
} from "../../web/text.js";
import { decodeForgivingBase64 } from "../../lib/base64.ts";
import { post } from "../_client.ts";

Deno.test("describeSize() counts bytes of UTF-8", () => {
  assertEquals(describeSize(0), "0 bytes");
  assertEquals(describeSize(countBytes("a")), "1 byte");
  assertEquals(describeSize(countBytes("é漢😀")), "9 bytes");
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

Deno.test("formatList() writes a list in the form that is chosen", () => {
  const text = "a-1\nb-2";
  const forms = {
    lines: "a-1\nb-2",
    upper: "A-1\nB-2",
    bare: "a1\nb2",
    quoted: "'a-1',\n'b-2'",
    json: '[\n  "a-1",\n  "b-2"\n]',
    "": "a-1\nb-2",
  };
  for (const [form, expected] of Object.entries(forms)) {
    assertEquals(formatList(text, form).text, expected, form);
  }
  assertEquals(formatList(text, "upper").lines, ["A-1", "B-2"]);
  assertEquals(formatList(text, "json").lines, ["a-1", "b-2"]);
});

Deno.test("namePlace() counts offsets as lines and columns", () => {
  assertEquals(
    namePlace('got "*" at offset 5', "a\n😀\r\n*"),
    'got "*" at line 3, column 1',
  );
  assertEquals(
    namePlace('got "-" at offset 3 after "+"', "😀+-"),
    'got "-" at line 1, column 3 after "+"',
  );
  const other = 'got "at offset 1 or" at line 1, column 1';
  assertEquals(namePlace(other, "at"), other);
});

Deno.test("findBlocks() finds what is directly in the outermost object or array", () => {
  for (const indent of [2, 4]) {
    const value = { a: { b: [1] }, c: [], d: "{", e: [{}, { f: 1 }], g: 2 };
    const text = JSON.stringify(value, null, indent);
    const blocks = findBlocks(text).map(({ from, to }) =>
      text.slice(from - 1, to + 1).replaceAll(/\s/g, "")
    );
    assertEquals(blocks, ['{"b":[1]}', '[{},{"f":1}]']);
  }
  for (const text of ["", "1", "[]", "[\n  1\n]"]) {
    assertEquals(findBlocks(text), [], text);
  }
});

Deno.test("decodeBase64() of the page reads what the service reads", () => {
  const inputs = fc.string({
    unit: fc.constantFrom(..."AZaz09+/-_= \n!"),
  });
  fc.assert(fc.property(inputs, (text) => {
    let expected: Uint8Array | undefined;
    try {
      expected = decodeForgivingBase64(text);
    } catch {
      // The service tells more apart: both alphabets in one text.
      if (/[-_]/.test(text) && /[+/]/.test(text)) return;
    }
    assertEquals(decodeBase64(text), expected);
  }));
  assertEquals(decodeBase64("_-8"), Uint8Array.of(0xff, 0xef));
  assertEquals(decodeBase64("*"), undefined);
});

Deno.test("compareDigest() reads a digest in any notation, and says which it is", () => {
  const [sha1, digest] = ["sha1", "sha256"].map((algorithm) =>
    createHash(algorithm).update("abc").digest("hex")
  ) as [string, string];
  const base64 = Buffer.from(digest, "hex").toString("base64");
  const notations = [
    ` ${digest.toUpperCase().replaceAll(/.{8}/g, "$& ")}\t`,
    digest.replaceAll(/..(?!$)/g, "$&:").toUpperCase(),
    `${digest}  file.txt`,
    `${digest} *file.txt\n`,
    `sha256:${digest}`,
    `sha256-${base64}`,
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    `0x${digest}`,
    `SHA256 (file.txt) = ${digest}`,
    `SHA2-256(stdin)= ${digest}`,
  ];
  for (const notation of notations) {
    const verdict = compareDigest(notation, [sha1, digest]);
    assertEquals(verdict, "✓ Equal: SHA-256", notation);
  }
  assertEquals(compareDigest(sha1, [sha1, digest]), "✓ Equal: SHA-1");
  assertEquals(
    compareDigest(`${sha1.slice(1)}0`, [sha1, digest]),
    "✗ Not equal to SHA-1",
  );
  assertEquals(
    compareDigest(digest.slice(1), [sha1, digest]),
    "✗ Not a SHA-1, SHA-256 or SHA-512 digest",
  );
});
