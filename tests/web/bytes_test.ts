import { assertEquals } from "@std/assert";
import fc from "../_property.ts";
import {
  decodeBase64,
  dump,
  recogniseBytes,
  toDataUrl,
} from "../../web/bytes.js";
import { decodeForgivingBase64 } from "../../lib/base64.ts";

Deno.test("decodeBase64() of the page reads what the service reads", () => {
  const texts = fc.string({ unit: fc.constantFrom(..."AZaz09+/-_= \n!") });
  fc.assert(fc.property(texts, (text) => {
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

Deno.test("recogniseBytes() names common kinds of data", () => {
  const rows = [
    [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "a PNG image", "png"],
    [[0xff, 0xd8, 0xff, 0xe0], "a JPEG image", "jpg"],
    [[0x25, 0x50, 0x44, 0x46], "a PDF document", "pdf"],
    [[0x1f, 0x8b, 8], "gzip data", "gz"],
    [[0xff, 0xfe, 0x61, 0], "text in UTF-16", "txt"],
    [[0xfe, 0xff, 0, 0x61], "text in UTF-16", "txt"],
    [[0xff], "binary data", "bin"],
    [[], "binary data", "bin"],
  ] as const;
  for (const [bytes, name, end] of rows) {
    const kind = recogniseBytes(Uint8Array.from(bytes));
    assertEquals([kind.name, kind.end], [name, end]);
  }
});

Deno.test("dump() shows rows of 16 bytes, and not more than one can read", () => {
  const bytes = Uint8Array.from({ length: 18 }, (_, i) => i + 0x6f);
  assertEquals(
    dump(bytes),
    "000000  6f 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e  opqrstuvwxyz{|}~\n" +
      "000010  7f 80                                            ..",
  );
  const rows = dump(new Uint8Array(70_000)).split("\n");
  assertEquals([rows.length, rows.at(-1)], [4_097, "…"]);
});

Deno.test("toDataUrl() writes bytes as Base64", () => {
  assertEquals(
    toDataUrl(Uint8Array.of(0, 0xff), "image/png"),
    "data:image/png;base64,AP8=",
  );
});
