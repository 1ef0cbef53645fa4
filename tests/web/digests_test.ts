import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { compareDigest } from "../../web/digests.js";

const [SHA1, SHA256, SHA512] = ["sha1", "sha256", "sha512"].map((algorithm) =>
  createHash(algorithm).update("abc").digest("hex")
) as [string, string, string];
const OTHER = createHash("sha256").update("abcd").digest("hex");

Deno.test("compareDigest() says whether a digest is one of those computed", async (t) => {
  const none = "✗ The text must have a SHA-1, SHA-256 or SHA-512 digest";
  const several =
    "✗ The text must have one SHA-256 digest, got different ones: name the file as in the list, or paste one digest";
  const integrity = `sha512-${Uint8Array.fromHex(SHA512).toBase64()}`;
  const rows = [
    [SHA256, "✓ Equal: SHA-256"],
    [`${SHA1}  file.txt`, "✓ Equal: SHA-1"],
    [`integrity="${integrity}"`, "✓ Equal: SHA-512"],
    [`sha512-${"x".repeat(86)}== ${integrity}`, "✓ Equal: SHA-512"],
    [`${OTHER}  a.txt\n${SHA256}  b.txt`, "✓ Equal: SHA-256"],
    [`${SHA256}  a.txt\n${OTHER}  b.txt`, "✗ Not equal to SHA-256"],
    [`${OTHER}  a.txt\n${SHA256}  c.txt`, several],
    // The strongest digest of the file decides.
    [`sha1: ${SHA1}\nsha256: ${OTHER}`, "✗ Not equal to SHA-256"],
    [
      `SHA512 (a.txt) = ${"0".repeat(128)}\nSHA1 (b.txt) = ${SHA1}`,
      "✓ Equal: SHA-1",
    ],
    [OTHER, "✗ Not equal to SHA-256"],
    [`${SHA1.slice(1)}0`, "✗ Not equal to SHA-1"],
    [
      SHA256.slice(1),
      "✗ The text must have complete digests, got 63 hexadecimal digits: paste only the digest",
    ],
    ["file.txt", none],
  ] as const;
  for (const [expected, verdict] of rows) {
    await t.step(expected, () => {
      const digests = { sha1: SHA1, sha256: SHA256, sha512: SHA512 };
      const file = "b.txt";
      assertEquals(compareDigest(expected, { digests, file }), verdict);
    });
  }
});
