import { assertEquals, assertMatch } from "@std/assert";
import fc, { anyText } from "../_random.ts";
import { formatLink, MAX_LINKED, parseLink } from "../../web/links.js";

Deno.test("parseLink() returns the tool, the options and the exact input", async (t) => {
  /** The fragment, the tool, the options, and the input, if any. */
  const rows: [string, string, string, string?][] = [
    ["", "", ""],
    ["#hash", "hash", ""],
    ["#Hash?SHA512", "Hash", "SHA512"],
    ["#base64?decode&input=SGVsbG8=", "base64", "decode", "SGVsbG8="],
    ["#base64?input=Pz4/Pj8+&decode", "base64", "decode", "Pz4/Pj8+"],
    ["#json?input=%7B%22a?%22:1%7d&minify", "json", "minify", '{"a?":1}'],
    ["#hash?input=a%0D%0A%F0%9F%98%80%26=", "hash", "", "a\r\n😀&="],
    ["#hash?input=", "hash", "", ""],
    // With a malformed escape, the input is taken literally.
    ["#hash?input=100%&input=b", "hash", "", "100%"],
    ["#hash?input=%E4%C3%A4", "hash", "", "%E4%C3%A4"],
    ["#uuid?count=5&inputs=a", "uuid", "count=5&inputs=a"],
  ];
  for (const [fragment, name, options, text] of rows) {
    await t.step(fragment, () => {
      const input = text === undefined ? {} : { input: text };
      assertEquals(parseLink(fragment), { name, options, ...input });
    });
  }
  const many = "&a=b".repeat(500_000);
  assertEquals(parseLink(`#hash?${many}`).options.length, many.length);
});

Deno.test("parseLink() reverses formatLink()", () => {
  fc.assert(fc.property(anyText(), (text) => {
    const { fragment } = formatLink("hash", "sha512", text);
    const isWritten = text !== "" && text.isWellFormed();
    assertEquals(parseLink(new URL(fragment, "http://h/").hash), {
      name: "hash",
      options: "sha512",
      ...isWritten ? { input: text } : {},
    });
  }));
  const rows: [input: string | undefined, link: RegExp][] = [
    ["", /^#json $/],
    ["a b", /^#json\?input=a%20b .*contains the input.*history/],
    ["a".repeat(MAX_LINKED), /aaa .*contains the input/],
    ["a".repeat(MAX_LINKED + 1), /^#json .*only the options.*2,000 characters/],
    ["\ud800", /^#json .*only the options.*well-formed/],
    [undefined, /^#json .*only the options.*can’t include a file/],
  ];
  for (const [input, link] of rows) {
    const { fragment, message } = formatLink("json", "", input);
    assertMatch(`${fragment} ${message}`, link);
  }
});
