import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { compareDigest } from "../../web/digests.js";

const [SHA1, SHA256, SHA512] = ["sha1", "sha256", "sha512"].map((algorithm) =>
  createHash(algorithm).update("abc").digest("hex")
) as [string, string, string];
const OTHER = createHash("sha256").update("abcd").digest("hex");

Deno.test("compareDigest() reports whether a computed digest is expected", async (t) => {
  const none = "✗ The text must contain a SHA-1, SHA-256 or SHA-512 digest";
  const several =
    "✗ The text must contain one SHA-256 digest, got several different ones: rename the file to match the list, or paste one digest";
  const rows = [
    [SHA256, "✓ SHA-256 matches"],
    [`${SHA1}  file.txt`, "✓ SHA-1 matches"],
    [`${OTHER}  a.txt\n${SHA256}  b.txt`, "✓ SHA-256 matches"],
    [`${SHA256}  a.txt\n${OTHER}  b.txt`, "✗ SHA-256 doesn’t match"],
    [`${OTHER}  a.txt\n${SHA256}  c.txt`, several],
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
