import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { compareDigest } from "../../web/digests.js";

const [SHA1, SHA256, SHA512] = ["sha1", "sha256", "sha512"].map((algorithm) =>
  createHash(algorithm).update("abc").digest("hex")
) as [string, string, string];
const OTHER = createHash("sha256").update("abcd").digest("hex");

Deno.test("compareDigest() says whether a digest is one of those computed", async (t) => {
  const rows = [
    [SHA256, "✓ Equal: SHA-256"],
    [`${SHA1}  file.txt`, "✓ Equal: SHA-1"],
    [
      `integrity="sha512-${Uint8Array.fromHex(SHA512).toBase64()}"`,
      "✓ Equal: SHA-512",
    ],
    [`${OTHER}  a.txt\n${SHA256}  b.txt`, "✓ Equal: SHA-256 in line 2"],
    [`${SHA256}  a.txt\n${OTHER}  b.txt`, "✗ Not equal to SHA-256 in line 2"],
    [
      `${OTHER}  a.txt\n${SHA256}  c.txt`,
      "✗ The text must name this file, got digests of “a.txt”, “c.txt”",
    ],
    // Of the right value, but not of the named algorithm.
    [
      `MD5 (a.txt) = ${SHA256}`,
      "✗ The text must be a SHA-1, SHA-256 or SHA-512 digest, got MD5",
    ],
    [
      `SHA1 (a.txt) = ${SHA512}`,
      "✗ The text must be a SHA-1, SHA-256 or SHA-512 digest, got 128 hexadecimal digits as SHA1",
    ],
    // The strongest algorithm judges.
    [`sha1: ${SHA1}, sha256: ${OTHER}`, "✗ Not equal to SHA-256"],
    [OTHER, "✗ Not equal to SHA-256"],
    [`${SHA1.slice(1)}0`, "✗ Not equal to SHA-1"],
    [
      `SHA3-256(file)= ${SHA256}`,
      "✗ The text must be a SHA-1, SHA-256 or SHA-512 digest, got SHA3-256",
    ],
    [
      SHA256.slice(1),
      "✗ The text must be a SHA-1, SHA-256 or SHA-512 digest, got 63 hexadecimal digits",
    ],
    ["file.txt", "✗ The text must be a SHA-1, SHA-256 or SHA-512 digest"],
  ] as const;
  for (const [expected, verdict] of rows) {
    await t.step(expected, () => {
      const digests = { sha1: SHA1, sha256: SHA256, sha512: SHA512 };
      const file = "b.txt";
      assertEquals(compareDigest(expected, { digests, file }), verdict);
    });
  }
});
