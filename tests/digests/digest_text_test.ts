import { assertEquals } from "@std/assert";
import { readDigests } from "../../lib/digests/text.ts";
import {
  COLONS,
  DASHES,
  MD5,
  SHA1,
  SHA1_BASE64,
  SHA256,
  SHA256_BASE64,
  SHA3,
  SHA384_BASE64,
  SHA512,
  SHA512_BASE64,
  UPPER,
} from "./_digests.ts";

/** Returns the algorithm and the value of each digest in a text. */
function read(text: string) {
  const { digests } = readDigests(text);
  return digests.map(({ algorithm, hex }) => ({ algorithm, hex }));
}

/** Texts by name, and the one digest in them. */
const SINGLE: readonly [string, string, algorithm: string, hex: string][] = [
  ["hexadecimal, SHA-1", SHA1, "sha1", SHA1],
  ["hexadecimal", SHA256, "sha256", SHA256],
  ["hexadecimal, SHA-512", SHA512, "sha512", SHA512],
  ["upper case, white space around", ` ${UPPER}\t\r\n`, "sha256", SHA256],
  ["quotes", `"${SHA256}"`, "sha256", SHA256],
  ["0x", `0x${SHA256}`, "sha256", SHA256],
  ["groups", SHA256.replaceAll(/.{8}/g, "$& "), "sha256", SHA256],
  ["lines", SHA256.replaceAll(/.{32}/g, "$&\n"), "sha256", SHA256],
  ["colons", COLONS, "sha256", SHA256],
  ["dashes", DASHES, "sha256", SHA256],
  ["Base64, SHA-1", SHA1_BASE64, "sha1", SHA1],
  ["Base64", SHA256_BASE64, "sha256", SHA256],
  ["Base64, SHA-512", SHA512_BASE64, "sha512", SHA512],
  [
    "Base64, URL-safe",
    SHA256_BASE64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    "sha256",
    SHA256,
  ],
  ["sha256sum", `${SHA256}  file.txt\n`, "sha256", SHA256],
  ["sha256sum, binary", `${SHA256} *file.txt`, "sha256", SHA256],
  ["sha256sum, escaped", `\\${SHA256}  a\\nb`, "sha256", SHA256],
  ["sha256sum, other digest as file", `${SHA256}  ${SHA3}`, "sha256", SHA256],
  ["sha256sum, named file", `${SHA256}  sha256-${SHA3}`, "sha256", SHA256],
  ["cksum --untagged --base64", `${SHA256_BASE64}  a.txt`, "sha256", SHA256],
  ["sha256sum --tag", `SHA256 (a.txt) = ${SHA256}`, "sha256", SHA256],
  [
    "BSD, odd file",
    `SHA256 (a (${SHA3}) = .txt) = ${SHA256}`,
    "sha256",
    SHA256,
  ],
  ["OpenSSL 1", `SHA256(a.txt)= ${SHA256}`, "sha256", SHA256],
  ["OpenSSL 3", `SHA2-256(a b.txt)= ${SHA256}`, "sha256", SHA256],
  ["OpenSSL 3, SHA-512", `SHA2-512(stdin)= ${SHA512}`, "sha512", SHA512],
  ["a certificate", `sha256 Fingerprint=${COLONS}`, "sha256", SHA256],
  [
    "OpenSSH",
    `256 SHA256:${SHA256_BASE64.slice(0, -1)} me (RSA)`,
    "sha256",
    SHA256,
  ],
  [
    "certutil",
    `SHA256 hash of a.txt:\r\n${SHA256}\r\nCertUtil: done.`,
    "sha256",
    SHA256,
  ],
  [
    "certutil of Windows 7",
    `SHA256 hash of file a.txt:\r\n${
      SHA256.replaceAll(/../g, "$& ")
    }\r\nCertUtil: done.`,
    "sha256",
    SHA256,
  ],
  [
    "Get-FileHash",
    "Algorithm       Hash             Path\r\n---------       ----             ----\r\n" +
    `SHA256          ${UPPER}       C:\\Users\\me\\a.txt\r\n`,
    "sha256",
    SHA256,
  ],
  ["Get-FileHash, list", `Hash      : ${UPPER}`, "sha256", SHA256],
  ["BitConverter", DASHES, "sha256", SHA256],
  ["an image", `alpine:3.20@sha256:${SHA256}`, "sha256", SHA256],
  ["pip", `    --hash=sha256:${SHA256} \\`, "sha256", SHA256],
  ["Cargo", `checksum = "${SHA256}"`, "sha256", SHA256],
  ["JSON", `  "sha256": "${SHA256}",`, "sha256", SHA256],
  ["npm", `"integrity": "sha512-${SHA512_BASE64}",`, "sha512", SHA512],
  ["an attribute", `integrity="sha256-${SHA256_BASE64}"`, "sha256", SHA256],
  ["a policy", `script-src 'sha256-${SHA256_BASE64}'`, "sha256", SHA256],
  ["Repr-Digest", `Repr-Digest: sha-256=:${SHA256_BASE64}:`, "sha256", SHA256],
  ["Digest", `Digest: SHA-256=${SHA256_BASE64}`, "sha256", SHA256],
  ["Digest, SHA-1", `SHA=${SHA1_BASE64}`, "sha1", SHA1],
  ["a name and a colon", `SHA-256: ${SHA256}`, "sha256", SHA256],
  ["a family", `SHA2: ${SHA512}`, "sha512", SHA512],
  [
    "an address",
    `https://example.org/${"a".repeat(30)}?sha1=${SHA1}`,
    "sha1",
    SHA1,
  ],
  // Of an algorithm that the service does not compute.
  ["MD5", `MD5 (a.txt) = ${MD5}`, "md5", MD5],
  ["SHA-3", `SHA3-256(a.txt)= ${SHA3}`, "sha3-256", SHA3],
  ["SHA-3 with an underline", `"sha3_256": "${SHA3}"`, "sha3_256", SHA3],
  ["SHA-512/256", `SHA512/256 (a.txt) = ${SHA3}`, "sha512/256", SHA3],
  [
    "SHA-512/256 of OpenSSL 1",
    `SHA512-256(a.txt)= ${SHA3}`,
    "sha512-256",
    SHA3,
  ],
  ["HMAC", `HMAC-SHA2-256(stdin)= ${SHA3}`, "hmac-sha2-256", SHA3],
  ["BLAKE2", `BLAKE2b-256 (a.txt) = ${SHA3}`, "blake2b-256", SHA3],
  // Of another length.
  ["MD5 without its name", MD5, "", MD5],
  ["a digit too few", SHA256.slice(1), "", SHA256.slice(1)],
  ["a digit too many", `${SHA256}0  a.txt`, "", `${SHA256}0`],
  ["another algorithm's length", `sha512:${SHA256}`, "", SHA256],
];

Deno.test("readDigests() reads a digest in any notation", async (t) => {
  for (const [name, text, algorithm, hex] of SINGLE) {
    await t.step(name, () => {
      assertEquals(read(text), [{ algorithm, hex }]);
    });
  }
});

Deno.test("readDigests() reads several digests", async (t) => {
  const [sha1, sha256, sha512] = [
    { algorithm: "sha1", hex: SHA1 },
    { algorithm: "sha256", hex: SHA256 },
    { algorithm: "sha512", hex: SHA512 },
  ] as const;
  const sha384 = read(`sha384-${SHA384_BASE64}`)[0]!;
  assertEquals([sha384.algorithm, sha384.hex.length], ["sha384", 96]);
  const rows = [
    [
      "an attribute",
      `integrity="sha384-${SHA384_BASE64} sha256-${SHA256_BASE64}?x"`,
      [sha384, sha256],
    ],
    [
      "a header",
      `Content-Digest: sha-256=:${SHA256_BASE64}:, sha-512=:${SHA512_BASE64}:`,
      [sha256, sha512],
    ],
    ["a list", `${SHA256}  a.txt\n${SHA1}  b.txt\n`, [sha256, sha1]],
    ["digests alone", `${SHA256}\n${SHA256}`, [sha256, sha256]],
    ["lines with names", `SHA1: ${SHA1}\r\nSHA256: ${SHA256}`, [sha1, sha256]],
  ] as const;
  for (const [name, text, digests] of rows) {
    await t.step(name, () => assertEquals(read(text), [...digests]));
  }
});

Deno.test("readDigests() finds none in other texts", () => {
  const texts = [
    ...["", " \n", "a.txt", "sha256", "SHA-256:", "sha256-", "0x", "deadbeef"],
    "SHA256 (a.txt) = ",
    // Without padding, Base64 may be a word.
    `${SHA256_BASE64.slice(0, -1)} a.txt`,
    "The file has been moved to another folder of the same name.",
    // Not in a digest's place.
    `${"x".repeat(5_000)} ${SHA256}`,
    `hash: ${SHA256} ${SHA3}.txt`,
    `${SHA256}.tgz`,
    `Path : C:\\dl\\${SHA256}\\setup.exe`,
    `https://example.org/${SHA256}`,
    `https://example.org/sha256-${SHA256}`,
    `sha256-${SHA256}.tgz`,
    // Groups of unequal length are numbers.
    `x: ${"12345678 12 ".repeat(4)}`,
    // Long texts that slow expressions down.
    ...["g", "ba:", "x-", "sha256-", "sha-", "SHA256 (", ")=", "=", "\n", "0x"]
      .map((part) => part.repeat(200_000)),
    ...[" ", '"', ": ", ":'", "ab ", "\n ab", ":\n", "sha256: ", "Path :\n "]
      .map((part) => `x:${part.repeat(200_000)} z`),
  ];
  for (const text of texts) {
    assertEquals(read(text), [], text.slice(0, 40));
  }
});
