import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { findDigest } from "../../lib/digests/choice.ts";
import {
  EVIL,
  EVIL_BASE64,
  EVIL_SHA256,
  EVIL_SHA512,
  find,
  MD5,
  SHA1,
  SHA1_BASE64,
  SHA256,
  SHA256_BASE64,
  SHA384_BASE64,
  SHA512,
  SHA512_BASE64,
  UPPER,
  writeGroups,
} from "./_digests.ts";

/** Texts by name, the name of the file, and the digest that it must have, or the refusal. */
const COMPARED: readonly [
  string,
  text: string,
  file: string | undefined,
  expected: ReturnType<typeof find>,
][] = [
  [
    "a file that is named by a digest",
    `${EVIL_SHA256}.tgz: ${SHA256}`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "the same of GnuPG",
    `${EVIL_SHA256}: ${writeGroups(SHA256)}`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "the same of GnuPG, SHA-1 and a name of 24 digits",
    `${EVIL_SHA256.slice(0, 24)}: ${writeGroups(SHA1)}`,
    "evil.bin",
    `sha1 ${SHA1}`,
  ],
  [
    "the same of Get-FileHash",
    `Algorithm : SHA256\r\nHash      : ${UPPER}\r\n` +
    `Path      : C:\\dl\\${EVIL_SHA256}\\x sha256-${EVIL_SHA256}\r\n`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "a CR in the name of a file",
    `SHA2-256(pkg\r${EVIL_SHA256}  pkg.tgz)= ${SHA256}`,
    "pkg.tgz",
    `sha256 ${SHA256}`,
  ],
  [
    "the same of certutil, MD5",
    `MD5 hash of sha1-${EVIL_BASE64[0]}:sha256:\r\n${MD5}\r\nCertUtil: done.`,
    "evil.bin",
    {
      rule: "must be a SHA-1, SHA-256 or SHA-512 digest",
      got: "32 hexadecimal digits as SHA256",
    },
  ],
  [
    "the same of certutil, and a name that looks like a list",
    `MD5 hash of sha1-${EVIL_BASE64[0]}"md5:\r\n${MD5}\r\nCertUtil: done.`,
    "evil.bin",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "MD5" },
  ],
  [
    "the same in a line",
    `sha1-${EVIL_BASE64[0]} sha256: ${MD5}`,
    "evil.bin",
    {
      rule: "must be a SHA-1, SHA-256 or SHA-512 digest",
      got: "32 hexadecimal digits as SHA256",
    },
  ],
  [
    "the same, and words between the digests",
    `sha512-${EVIL_BASE64[2]} of sha256: ${SHA256}`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a row of a table that is cut off, and a path with a digest",
    `SHA256  ${UPPER.slice(0, 30)}...  C:\\dl\\x sha256-${EVIL_SHA256}`,
    "evil.bin",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest" },
  ],
  [
    "a key in JSON without white space",
    `{"sha256-${EVIL_SHA256}":1}`,
    "evil.bin",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest" },
  ],
  [
    "a key in JSON that looks like a list",
    `"sha512-${EVIL_BASE64[2]}  sha256": "${SHA256}",`,
    "evil.bin",
    { rule: "must have a digest that can be read in one way only" },
  ],
  [
    "two readings",
    `${EVIL_SHA256}  x: ${writeGroups(SHA256)}`,
    "evil.bin",
    { rule: "must have a digest that can be read in one way only" },
  ],
  [
    "a file that is named by a digest before the algorithm",
    `${EVIL_SHA256} sha256 ${SHA256}`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "the same, for the right file",
    `${EVIL_SHA256}\tSHA256\t${SHA256}`,
    "pkg.tgz",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "the same, and a weaker digest as name",
    `${EVIL[0]} sha256 "${SHA256}"`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "the same, and the file's path behind them",
    `${EVIL_SHA256} sha256 ${SHA256} ./evil.bin`,
    "evil.bin",
    { rule: "must have a digest that can be read in one way only" },
  ],
  [
    "the same, and a colon",
    `${EVIL_SHA256} sha256 ${SHA256}: ./evil.bin`,
    "evil.bin",
    { rule: "must have a digest that can be read in one way only" },
  ],
  [
    "the same behind a backslash",
    `\\${EVIL_SHA256} sha256 ${SHA256}: OK`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a digest without a name before one that ends the line",
    `pkg.tgz ${SHA256} (was: ${EVIL_SHA256})`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a name with a digest as a word, of GnuPG",
    `a ${EVIL_SHA256} b: ${writeGroups(SHA256)}`,
    `a ${EVIL_SHA256} b`,
    `sha256 ${SHA256}`,
  ],
  [
    "the same in JSON",
    `  "a ${EVIL_SHA256} b": "sha256-${SHA256_BASE64}",`,
    `a ${EVIL_SHA256} b`,
    `sha256 ${SHA256}`,
  ],
  [
    "a file that is named by a digest, as sha256sum writes it",
    `${SHA256}  sha256 ${EVIL_SHA256}\n${EVIL_SHA256}  b`,
    `sha256 ${EVIL_SHA256}`,
    `sha256 ${SHA256}`,
  ],
  [
    "the same of a file that is named by its own digest, for standard input",
    `${SHA256}  ${SHA256}`,
    undefined,
    `sha256 ${SHA256}`,
  ],
  [
    "a path with a digest, for standard input",
    `${SHA256}  ${EVIL_SHA256}.tgz/${EVIL_SHA256}`,
    undefined,
    `sha256 ${SHA256}`,
  ],
  [
    "an address with a digest, and a digest without a name",
    `https://example.com/?sha256=${EVIL_SHA256}&y=1 ${SHA256}`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "the same in HTML",
    `<a href="?sha256=${EVIL_SHA256}">${SHA256}</a>`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a name that looks like that of an image, and a digest",
    `sha256:${EVIL_SHA256}@${SHA256}`,
    "evil.bin",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "an image whose tag is a commit",
    `image: example.com/app:${EVIL[0]}@sha256:${SHA256}`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "ADD of a file that is named by a digest, in an address",
    `ADD --checksum=sha256:${SHA256} https://example.com/o/x%2F${EVIL_SHA256}?alt=media /`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "a key in JSON beside a digest with a name",
    `"${EVIL_SHA256}": {"sha256": "${SHA256}"}`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "docker push of a commit",
    `${EVIL[0]}: digest: sha256:${SHA256} size: 528`,
    "evil.bin",
    `sha256 ${SHA256}`,
  ],
  [
    "the file's line of a list",
    `${EVIL_SHA256}  app-1.0.tgz\n${SHA256}  dl/app-2.0.tgz\n`,
    "/tmp/app-2.0.tgz",
    `sha256 ${SHA256}`,
  ],
  [
    "a list without the file",
    `${EVIL_SHA256} *a\n${SHA256} *b\n`,
    "c",
    { rule: "must name this file", files: ["a", "b"] },
  ],
  [
    "a list for standard input",
    `${EVIL_SHA256}  a\n${SHA256}  b\n`,
    undefined,
    {
      rule: "must have one digest for an input without a name",
      files: ["a", "b"],
    },
  ],
  ["a list of one other file", `${SHA256}  a`, "b", `sha256 ${SHA256}`],
  [
    "a label with the file's name beside a digest without a name",
    `url "https://example.com/app.tgz=${EVIL_SHA256}"\nsha256 "${SHA256}"`,
    "app.tgz",
    { rule: "must have one digest of this file", got: "2" },
  ],
  [
    "a stronger digest of another file, for standard input",
    `SHA512 (a) = ${EVIL_SHA512}\nSHA256 (b) = ${SHA256}`,
    undefined,
    {
      rule: "must have one digest for an input without a name",
      files: ["a", "b"],
    },
  ],
  [
    "a stronger digest in a label",
    `url "https://example.com/app.tgz?v=${EVIL_SHA512}"\nsha256 "${SHA256}"`,
    "b",
    {
      rule: "must name this file",
      files: ['url "https://example.com/app.tgz?v'],
    },
  ],
  [
    "a stronger digest in an address",
    `url "https://h/, SHA512  ${EVIL_SHA512}"\nsha256 "${SHA256}"`,
    "b",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a stronger digest in a path of Get-FileHash",
    `{"Algorithm":"SHA256","Hash":"${SHA256}","Path":"C:\\\\a sha512-${EVIL_SHA512}"}`,
    "b",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "a digest that is named by another algorithm",
    `sha256 "${"a".repeat(40)}"\nsha512-${SHA512_BASE64}`,
    "b",
    {
      rule: "must be a SHA-1, SHA-256 or SHA-512 digest",
      got: "40 hexadecimal digits as SHA256",
    },
  ],
  [
    "a checksum that is no digest, beside a name with one",
    `XXH64 (x sha256:${EVIL_SHA256} y) = 0123456789abcdef`,
    "b",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest" },
  ],
  [
    "a CRC-32 and a name that looks like groups of digits",
    "a9993e36  4706816a ba3e2571 7850c26c 9cd0d89d",
    "b",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest" },
  ],
  [
    "a CRC-32 and a name of 32 digits",
    "a9993e36  4706816aba3e25717850c26c9cd0d89d",
    "b",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest" },
  ],
  [
    "the whole path if the name is there twice",
    `${EVIL_SHA256}  ./1.0/app.tgz\n${SHA256}  ./2.0/app.tgz\n`,
    "2.0/app.tgz",
    `sha256 ${SHA256}`,
  ],
  [
    "a name that is there twice",
    `${EVIL_SHA256}  1.0/app.tgz\n${SHA256}  2.0/app.tgz\n`,
    "app.tgz",
    { rule: "must have one digest of this file", got: "2" },
  ],
  [
    "an escaped name",
    `${EVIL_SHA256}  a\n\\${SHA256}  a\\nb\\\\c\n`,
    "c",
    `sha256 ${SHA256}`,
  ],
  [
    "an attribute with a weaker digest",
    `sha1-${EVIL_BASE64[0]} sha512-${SHA512_BASE64}`,
    undefined,
    `sha512 ${SHA512}`,
  ],
  [
    "an attribute that repeats an algorithm",
    `sha256-${EVIL_BASE64[1]} sha256-${SHA256_BASE64}`,
    "a",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "an attribute whose strongest digest is not computed",
    `sha256-${SHA256_BASE64} sha384-${SHA384_BASE64}`,
    "a",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "SHA384" },
  ],
  [
    "the strongest of the file",
    `MD5 (a) = ${MD5}\nSHA1 (a) = ${SHA1}\nSHA512 (b) = ${SHA512}`,
    "a",
    `sha1 ${SHA1}`,
  ],
  [
    "another algorithm of the same length",
    `SHA3-256 (a) = ${SHA256}`,
    "a",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "SHA3-256" },
  ],
  [
    "another algorithm of the same length above one that is computed",
    `SHA3-256 (a) = ${EVIL_SHA256}\nSHA256 (a) = ${SHA256}`,
    "a",
    `sha256 ${SHA256}`,
  ],
  [
    "an unknown algorithm",
    `STREEBOG-256 (a) = ${SHA256}`,
    "a",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "STREEBOG-256" },
  ],
  [
    "an unknown algorithm in a label",
    `Skein-256: ${SHA256}`,
    "a",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "SKEIN-256" },
  ],
  [
    "another algorithm in a list of PowerShell",
    `Algorithm : RIPEMD160\r\nHash      : ${SHA1}\r\nPath      : C:\\a\r\n`,
    "a",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "RIPEMD160" },
  ],
  [
    "the length of another algorithm",
    `SHA512 (a) = ${SHA256}`,
    "a",
    {
      rule: "must be a SHA-1, SHA-256 or SHA-512 digest",
      got: "64 hexadecimal digits as SHA512",
    },
  ],
  [
    "the sums of Go, which are not of a file",
    `golang.org/x/text v0.3.0 h1:${SHA256_BASE64}`,
    "v0.3.0.zip",
    { rule: "must be a SHA-1, SHA-256 or SHA-512 digest", got: "H1" },
  ],
  [
    "several digests in one line of JSON",
    `{"a": "${EVIL_SHA256}", "b": "${SHA256}"}`,
    "c",
    { rule: "must have one digest", got: "2" },
  ],
  [
    "JSON",
    `{\n  "dist/a.tgz": "${SHA256}",\n  "b.tgz": "sha256-${EVIL_BASE64[1]}"\n}`,
    "a.tgz",
    `sha256 ${SHA256}`,
  ],
  [
    "JSON in one line",
    `{"a.tgz": "${SHA256}"}\n{"b.tgz": "${EVIL_SHA256}"}\n`,
    "a.tgz",
    `sha256 ${SHA256}`,
  ],
  [
    "Get-FileHash of two files",
    "Algorithm       Hash             Path\r\n---------       ----             ----\r\n" +
    `SHA256          ${EVIL_SHA256.toUpperCase()} C:\\dl\\a.exe\r\n` +
    `SHA256          ${UPPER} C:\\my dl\\b.exe\r\n`,
    "b.exe",
    `sha256 ${SHA256}`,
  ],
  [
    "Get-FileHash as a list that is broken by a window",
    `\r\nAlgorithm : SHA512\r\nHash      : ${SHA512.slice(0, 107)}\r\n` +
    `            ${SHA512.slice(107)}\r\nPath      : C:\\a\\very\\long\\` +
    "\r\n            a.exe\r\n\r\n\r\n" +
    `Algorithm : SHA512\r\nHash      : ${EVIL[2]}\r\nPath      : C:\\b.exe\r\n`,
    "a.exe",
    `sha512 ${SHA512}`,
  ],
  [
    "Get-FileHash as a list, and below it a list without the algorithm",
    `Algorithm : MD5\r\nHash      : ${MD5}\r\nPath      : C:\\b\r\n\r\n` +
    `a: ${writeGroups(SHA1)}\r\n`,
    "a",
    `sha1 ${SHA1}`,
  ],
  [
    "Get-FileHash as JSON",
    `[\r\n  {\r\n    "Algorithm":  "SHA256",\r\n    "Hash":  "${UPPER}",\r\n` +
    `    "Path":  "C:\\\\a.exe"\r\n  },\r\n  {\r\n    "Algorithm":  "SHA256",\r\n` +
    `    "Hash":  "${EVIL_SHA256}",\r\n    "Path":  "C:\\\\b.exe"\r\n  }\r\n]\r\n`,
    "a.exe",
    `sha256 ${SHA256}`,
  ],
  [
    "Get-FileHash as CSV",
    `"Algorithm","Hash","Path"\r\n"SHA256","${UPPER}","C:\\a.exe"\r\n` +
    `"SHA256","${EVIL_SHA256}","C:\\b.exe"\r\n`,
    "a.exe",
    `sha256 ${SHA256}`,
  ],
  [
    "Debian's Release",
    `SHA256:\n ${EVIL_SHA256}  12 main/a/Release\n ${SHA256}   3 main/b/Packages\n`,
    "Packages",
    `sha256 ${SHA256}`,
  ],
  [
    "a signed digest",
    `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${SHA256}  a\n` +
    `-----BEGIN PGP SIGNATURE-----\n\n${SHA512_BASE64}\n-----END PGP SIGNATURE-----\n`,
    undefined,
    `sha256 ${SHA256}`,
  ],
  [
    "a signed list",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n" +
    `${EVIL_SHA256}  a\n${SHA256}  b\n-----BEGIN PGP SIGNATURE-----\n\n` +
    `${SHA1_BASE64}\n${SHA512_BASE64}\n=${SHA1_BASE64}\n-----END PGP SIGNATURE-----\n`,
    "b",
    `sha256 ${SHA256}`,
  ],
];

Deno.test("findDigest() returns the digest of the file, or says why there is none", async (t) => {
  for (const [name, text, file, expected] of COMPARED) {
    await t.step(name, () => assertEquals(find(text, file), expected));
  }
});

Deno.test("findDigest() reads each line of a long list", () => {
  const files = Array.from({ length: 1_500 }, (_, i) => `file-${i}`);
  const hash = (file: string) =>
    createHash("sha256").update(file).digest("hex");
  const list = files.map((file) => `${hash(file)}  ${file}\n`).join("");
  assert(list.length > 100_000);
  for (const [i, file] of files.entries()) {
    if (i % 100 !== 99) continue;
    const found = findDigest(list, file);
    assert("hex" in found);
    assertEquals([found.hex, found.line], [hash(file), i + 1]);
  }
});
