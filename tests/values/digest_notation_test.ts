import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { findDigest, readDigests } from "../../lib/values/digest_notation.js";
import fc, { times } from "../_random.ts";

/** The digests of "abc" (FIPS 180-4, examples), and those of other algorithms. */
const SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
const SHA256 =
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const SHA512 =
  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
const MD5 = "900150983cd24fb0d6963f7d28e17f72";
const SHA3 = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532";

const SHA1_BASE64 = "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=";
const SHA256_BASE64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
const SHA512_BASE64 =
  "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4q" +
  "mslPpUyknw==";
const SHA384_BASE64 =
  "ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn";

const UPPER = SHA256.toUpperCase();
const DASHES = UPPER.replaceAll(/..(?!$)/g, "$&-");
const COLONS = UPPER.replaceAll(/..(?!$)/g, "$&:");

/** Returns the algorithm and the value of each digest in a text. */
function read(text: string) {
  return readDigests(text).map(({ algorithm, hex }) => ({ algorithm, hex }));
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
    assertEquals(readDigests(text), [], text.slice(0, 40));
  }
});

/** The digests of a wrong file, whose name and list are made to let it pass. */
const EVIL = ["sha1", "sha256", "sha512"].map((algorithm) =>
  createHash(algorithm).update("evil").digest("hex")
) as [string, string, string];
const EVIL_BASE64 = EVIL.map((hex) => Uint8Array.fromHex(hex).toBase64());
const [, EVIL_SHA256, EVIL_SHA512] = EVIL;

/** Writes a digest as GnuPG does. */
function writeGroups(hex: string) {
  const length = hex.length === 40 ? 4 : 8;
  const groups = hex.toUpperCase().match(RegExp(`.{${length}}`, "g"))!;
  return groups.join(" ");
}

function find(text: string, file?: string) {
  const found = findDigest(text, file);
  return "rule" in found ? found : `${found.algorithm} ${found.hex}`;
}

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

/** The tools that list digests, as functions that write the line of a file. */
const TOOLS: readonly ((hex: string, file: string) => string)[] = [
  // sha256sum escapes LF, CR and backslashes; shasum and OpenSSL do not escape CR.
  (hex, file) =>
    /[\n\r\\]/.test(file) ? `\\${hex}  ${escapeName(file)}` : `${hex}  ${file}`,
  (hex, file) => `${hex} *${file}`,
  (hex, file) => `${nameAlgorithm(hex)} (${file}) = ${hex}`,
  (hex, file) =>
    `${nameAlgorithm(hex).replace(/SHA(?=...)/, "SHA2-")}(${file})= ${hex}`,
  (hex, file) => `SHA3-256(${file})= ${hex}`,
  (hex, file) => `${file}: ${writeGroups(hex)}`,
  (hex, file) => `${file}: ${nameAlgorithm(hex)} = ${writeGroups(hex)}`,
  (hex, file) =>
    `${nameAlgorithm(hex).padEnd(15)} ${hex.toUpperCase()} /dl/${file}`,
  (hex, file) =>
    `Algorithm : ${
      nameAlgorithm(hex)
    }\r\nHash      : ${hex}\r\nPath      : /dl/${file}\r\n`,
  (hex, file) =>
    `${nameAlgorithm(hex)} hash of ${file}:\r\n${hex}\r\nCertUtil: done.`,
  (hex, file) => `  ${JSON.stringify(file)}: "${hex}",`,
  (hex, file) => `${hex}  ${file}`,
  (hex, file) => `  ${JSON.stringify(file)}: "${writeIntegrity(hex)}",`,
];

function escapeName(file: string) {
  return file.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

function nameAlgorithm(hex: string) {
  const names = { 32: "MD5", 40: "SHA1", 64: "SHA256", 128: "SHA512" };
  return names[hex.length as keyof typeof names];
}

function writeIntegrity(hex: string) {
  const base64 = Uint8Array.fromHex(hex).toBase64();
  return `${nameAlgorithm(hex).toLowerCase()}-${base64}`;
}

/** The wrong file's digests as they may be written. */
const EVIL_FORMS = EVIL.flatMap((hex) => [
  hex,
  hex.toUpperCase(),
  writeGroups(hex),
  hex.replaceAll(/..(?!$)/g, "$&:"),
  Uint8Array.fromHex(hex).toBase64(),
]);

const NAMED_FORMS = EVIL.flatMap((hex) => [
  writeIntegrity(hex),
  `${nameAlgorithm(hex)} (x) = ${hex}`,
  `${nameAlgorithm(hex)}: ${hex}`,
  `${nameAlgorithm(hex)} ${hex}`,
]);

const pieces = fc.oneof(
  fc.constantFrom(...EVIL_FORMS),
  fc.constantFrom(...NAMED_FORMS),
  fc.constantFrom(
    ...[":", ": ", "=", " = ", ")= ", " ", "  ", " *", "\r", "\t", "(", ")"],
    ...['"', "'", ",", ";", "/", "\\", "-", ".tgz", "x", "a b", "@", "sha256"],
    ...["sha256:", "SHA512 ", "MD5 (x) = ", "h1:", "Path : ", "Hash : ", "..."],
  ),
);

/** Names of files that hold the digests of the wrong file. */
const hostileNames = fc.array(pieces, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""));

const rightDigests = fc.tuple(
  fc.constantFrom("md5", "sha1", "sha256", "sha512"),
  fc.nat(),
).map(([algorithm, n]) => createHash(algorithm).update(`${n}`).digest("hex"));

Deno.test("a list of files that are named by the digest of a wrong file never lets it pass", () => {
  const lists = fc.tuple(
    fc.constantFrom(...TOOLS),
    fc.array(fc.tuple(rightDigests, hostileNames), {
      minLength: 1,
      maxLength: 3,
    }),
  ).map(([write, entries]) => ({
    text: entries.map(([hex, name]) => write(hex, name)).join("\n"),
    names: entries.map(([, name]) => name),
  }));
  fc.assert(
    fc.property(lists, ({ text, names }) => {
      for (const file of [undefined, "evil.bin", ...names, ...EVIL]) {
        const found = findDigest(text, file);
        assert("rule" in found || !EVIL.includes(found.hex), text);
      }
    }),
    { numRuns: times(3_000) },
  );
});

Deno.test("each file of a list passes with its own digest alone", () => {
  const names = ["a-1.0.tgz", "my file (1).exe", "ä b.txt", "x=1.bin"];
  const algorithms = ["sha1", "sha256", "sha512"] as const;
  // SHA-3 is not computed.
  for (const [i, write] of TOOLS.entries()) {
    if (i === 4) continue;
    for (const algorithm of algorithms) {
      const hash = (name: string) =>
        createHash(algorithm).update(name).digest("hex");
      for (const end of ["\n", "\r\n"]) {
        const text = names.map((name) => write(hash(name), name) + end).join(
          "",
        );
        for (const name of names) {
          const expected = `${algorithm} ${hash(name)}`;
          assertEquals(find(text, `dir/${name}`), expected, text);
        }
        assertEquals(typeof find(text), "object", text);
        assertEquals(typeof find(text, "other"), "object", text);
      }
    }
  }
});

/**
 * Whether a text has a digest of the wrong file where one may stand, told without regard to
 * the rest of the text: first in a line, last behind a colon or equals sign, or behind the
 * name of its algorithm, and not in a path.
 */
function hasPlace(text: string): boolean {
  const forms = EVIL_FORMS.flatMap((form) => [form, form.replace(/=+$/, "")]);
  return forms.some((form) => {
    for (
      let at = text.indexOf(form);
      at !== -1;
      at = text.indexOf(form, at + 1)
    ) {
      const lineStart = text.lastIndexOf("\n", at - 1) + 1;
      const before = text.slice(lineStart, at);
      const [after = ""] = text.slice(at + form.length).split("\n");
      const above = text.slice(0, lineStart).trimEnd().at(-1) ?? "";
      const isFirst = trimStart(before) === "" && /^[^\w./+-]|^$/.test(after);
      const isLast = trimStart(after) === "" &&
        (/[:=]$/.test(before.replace(/[\s"'(]+$/, "")) ||
          above === ":" && trimStart(before) === "");
      const isNamed = /sha-?(?:2-)?\d*\)?["'\s:=(-]+$/i.test(before) &&
        !/^[\w./\\+-]/.test(after);
      const isPadded = form.endsWith("=") || /^=/.test(after);
      if (isFirst || isLast || isNamed || isPadded && isFirst) return true;
    }
    return false;
  });
}

/** Removes the characters that may stand around a digest. */
function trimStart(text: string) {
  return text.replace(/^[\s\\"'`()[\]{}<>,;=]+/, "");
}

Deno.test("no text lets the wrong file pass that has no digest of it in a digest's place", () => {
  const texts = fc.array(
    fc.oneof(
      pieces,
      fc.constant("\n"),
      rightDigests,
      fc.tuple(fc.constantFrom(...TOOLS), rightDigests, hostileNames)
        .map(([write, hex, name]) => write(hex, name)),
    ),
    { minLength: 1, maxLength: 10 },
  ).map((parts) => parts.join(""));
  let passed = 0;
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom(undefined, "x", "evil.bin"),
      (text, file) => {
        const found = findDigest(text, file);
        if ("rule" in found || !EVIL.includes(found.hex)) return;
        passed += 1;
        assert(hasPlace(text), text);
      },
    ),
    { numRuns: times(10_000) },
  );
  // The texts are not so odd that none of them passes.
  assert(passed > 100, `${passed} passed`);
});
