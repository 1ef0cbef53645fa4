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
    [`${OTHER}  a.txt\n${SHA256}  b.txt`, "✓ Equal: SHA-256"],
    // Equal, whatever the algorithm is called.
    [`MD5 (a.txt) = ${SHA256}`, "✓ Equal: SHA-256"],
    [`SHA1 (a.txt) = ${SHA512}`, "✓ Equal: SHA-512"],
    [OTHER, "✗ Not equal to SHA-256"],
    [`${SHA1.slice(1)}0`, "✗ Not equal to SHA-1"],
    // Of the right length and value, but not of the named algorithm.
    [
      `SHA3-256(file)= ${OTHER}`,
      "✗ Not a SHA-1, SHA-256 or SHA-512 digest, but SHA3-256",
    ],
    [
      SHA256.slice(1),
      "✗ Not a SHA-1, SHA-256 or SHA-512 digest: 63 hexadecimal digits",
    ],
    ["file.txt", "✗ Not a SHA-1, SHA-256 or SHA-512 digest"],
  ] as const;
  for (const [expected, verdict] of rows) {
    await t.step(expected, () => {
      const digests = [SHA1, SHA256, SHA512];
      assertEquals(compareDigest(expected, digests), verdict);
    });
  }
});
