import { assertEquals } from "@std/assert";
import fc from "../_random.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { compareDigest, decodeBase64 } from "../../web/text.js";
import { decodeForgivingBase64 } from "../../lib/base64.ts";

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
