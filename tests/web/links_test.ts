import { assertEquals } from "@std/assert";
import fc, { anyText } from "../_random.ts";
import { MAX_LINKED, readLink, writeLink } from "../../web/links.js";

Deno.test("readLink() reads tool, options and the text with its case", async (t) => {
  const rows: [
    fragment: string,
    name: string,
    options: string,
    text?: string,
  ][] = [
    ["", "", ""],
    ["#", "", ""],
    ["#hash", "hash", ""],
    ["#Hash?SHA512", "Hash", "SHA512"],
    ["#base64?decode&input=SGVsbG8=", "base64", "decode", "SGVsbG8="],
    ["#base64?input=Pz4/Pj8+&decode", "base64", "decode", "Pz4/Pj8+"],
    ["#json?INPUT=%7B%22a?%22:1%7d&minify", "json", "minify", '{"a?":1}'],
    ["#hash?input=a%0D%0A%F0%9F%98%80%26=", "hash", "", "a\r\n😀&="],
    ["#hash?input=", "hash", "", ""],
    // Percent signs that begin no escape stay as they are.
    ["#hash?input=100%&input=b", "hash", "", "100%"],
    ["#hash?input=%zz%E4%C3%A4", "hash", "", "%zz%E4%C3%A4"],
    ["#uuid?count=5&inputs=a", "uuid", "count=5&inputs=a"],
  ];
  for (const [fragment, name, options, text] of rows) {
    await t.step(fragment, () => {
      const input = text === undefined ? {} : { input: text };
      assertEquals(readLink(fragment), { name, options, ...input });
    });
  }
  const many = "&a=b".repeat(500_000);
  assertEquals(readLink(`#hash?${many}`).options.length, many.length);
});

Deno.test("writeLink() writes what readLink() reads", () => {
  fc.assert(fc.property(anyText(), (text) => {
    const { fragment } = writeLink("hash", "sha512", text);
    const isWritten = text !== "" && text.isWellFormed();
    assertEquals(readLink(new URL(fragment, "http://h/").hash), {
      name: "hash",
      options: "sha512",
      ...isWritten ? { input: text } : {},
    });
  }));
  const rows: [text: string | undefined, fragment: RegExp, message: RegExp][] =
    [
      ["", /^#json$/, /^$/],
      ["a b", /^#json\?input=a%20b$/, /contains the input.*history/],
      ["a".repeat(MAX_LINKED), /a$/, /contains the input/],
      [
        "a".repeat(MAX_LINKED + 1),
        /^#json$/,
        /only the options.*2,000 characters/,
      ],
      ["\ud800", /^#json$/, /only the options.*well-formed/],
      [undefined, /^#json$/, /only the options.*no file/],
    ];
  for (const [text, fragment, message] of rows) {
    const link = writeLink("json", "", text);
    assertEquals(fragment.test(link.fragment), true, link.fragment);
    assertEquals(message.test(link.message), true, link.message);
  }
});
