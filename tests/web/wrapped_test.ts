import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeUtf16, restorePlus, unwrap } from "../../web/wrapped.js";

Deno.test("unwrap() finds the Base64 within what people copy", async (t) => {
  const rows: readonly [string, base64: string, around: string][] = [
    ['"YWJj"', "YWJj", "in quotes"],
    [" 'YW\nJj',\n", "YW\nJj", "in quotes"],
    ["`YWI=`;", "YWI=", "in quotes"],
    ["Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "of Basic authentication"],
    [
      "Authorization: Basic dXNlcjpwYXNzdw==\r\n",
      "dXNlcjpwYXNzdw==",
      "of Basic authentication",
    ],
    ["YWI%3D", "YWI=", "with percent escapes"],
    ["%2b%2Fv%2F%2Fw%3d%3D", "+/v//w==", "with percent escapes"],
    [
      '"Basic YWI%3D"',
      "YWI=",
      "in quotes, of Basic authentication, with percent escapes",
    ],
  ];
  for (const [text, base64, around] of rows) {
    await t.step(text, () => assertEquals(unwrap(text), { base64, around }));
  }
  const others = [
    ...["", "YWJj", '""', '"a.b"', "'YWJj\"", "Basic", "basically YWJj"],
    ...["Basic a b c", "100%", "a%20b%3D", "YWJj%3D!"],
    // Long texts that slow expressions down.
    ...['"', "'a", "Basic ", "%3D", " ", "authorization: "]
      .map((part) => `"${part.repeat(500_000)}!`),
  ];
  for (const text of others) assertEquals(unwrap(text), undefined);
});

Deno.test("restorePlus() finds spaces that were plus signs, not those of groups", () => {
  const rows: readonly [string, expected: string | undefined][] = [
    ["Pz4/Pj8 ", "Pz4/Pj8+"],
    ["Pz4/Pj8 \r\n", "Pz4/Pj8+"],
    [" 76/Pj8/", "+76/Pj8/"],
    ["YWJjZGVm 76 Pj8Pj8Pj8Pj=", "YWJjZGVm+76+Pj8Pj8Pj8Pj="],
    // Four of them leave a length that Base64 may have, too.
    [
      "abc efghijklmn pqrstuvwxyz 0123 56789abcdefg",
      "abc+efghijklmn+pqrstuvwxyz+0123+56789abcdefg",
    ],
    ...[
      "",
      "YWJj",
      "YWJj ZGVm",
      "YWJjZGVm Z2hpamts bW5vcHFy c3R1dnd4 eXphYmNk",
      "YWJj ",
      "a b c d ",
      "some English words",
      "YWJj-GVm 76_",
      " ".repeat(1_000_000) + "!",
      "YWJjZGVmZ ".repeat(100_000) + "=",
    ].map((text) => [text, undefined] as [string, undefined]),
  ];
  for (const [text, expected] of rows) {
    assertEquals(restorePlus(text), expected, text.slice(0, 60));
  }
});

Deno.test("decodeUtf16() reads UTF-16 of either byte order, and nothing else", () => {
  const texts = ["Get-ChildItem -Path C:\\", "grüße\r\n\tΩ", "\ufeffab"];
  for (const text of texts) {
    const bytes = Uint8Array.from(Buffer.from(text, "utf16le"));
    const expected = text.replace("\ufeff", "");
    assertEquals(decodeUtf16(bytes), expected);
    assertEquals(
      decodeUtf16(Uint8Array.from(Buffer.from(bytes).swap16())),
      expected,
    );
  }
  const others = [
    ...["", "a\0", "abcd", "\0\0\0\0", "a\0b\0c", "ab\0\0cd\0\0"],
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  ];
  for (const text of others) {
    const bytes = Uint8Array.from(Buffer.from(text, "latin1"));
    assertEquals(decodeUtf16(bytes), undefined, text);
  }
});
