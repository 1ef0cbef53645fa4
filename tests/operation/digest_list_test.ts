/** Lists with the digest of a file, lists of other files, and unclear lists. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { type Algorithm, findDigests } from "../../lib/digest_list.ts";
import fc, { times } from "../_random.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;

function hash(content: string, algorithm = "sha256"): string {
  return createHash(algorithm).update(content).digest("hex");
}

function toBase64(hex: string): string {
  return Uint8Array.fromHex(hex).toBase64();
}

/** Writes a digest as `gpg --print-md` does in one line. */
function toGroups(hex: string): string {
  const length = hex.length === 40 ? 4 : 8;
  return hex.toUpperCase().replaceAll(RegExp(`.{${length}}(?!$)`, "g"), "$& ");
}

/** The digests of the correct file and of other files. */
const MD5 = hash("right", "md5");
const [SHA1, SHA256, SHA512] = ALGORITHMS.map((name) =>
  hash("right", name)
) as [string, string, string];
const [EVIL_SHA1, EVIL, EVIL_SHA512] = ALGORITHMS.map((name) =>
  hash("evil", name)
) as [string, string, string];
const OLD = hash("old");
const SRI = `sha256-${toBase64(SHA256)}`;
const EVIL_SRI = `sha256-${toBase64(EVIL)}`;
const SRI_512 = `sha512-${toBase64(SHA512)}`;

type Row = readonly [name: string, list: string, path?: string];

/** Lists with the SHA-256 digest of `right`, or of the file at the path of the row. */
const SHA256_LISTS: readonly Row[] = [
  ["a digest", SHA256],
  ["uppercase", SHA256.toUpperCase()],
  ["a byte order mark before it", `\ufeff${SHA256}`],
  ["Markdown", `- \`app.tgz\`: \`${SHA256}\``, "app.tgz"],
  ["a name and the algorithm", `app.tgz (SHA256: ${SHA256})`, "app.tgz"],
  [
    "GitHub's digests of assets",
    `app.tgz\nsha256:${SHA256}\n1.2 MB\n2025-01-01`,
    "app.tgz",
  ],
  ["sha256sum", `${OLD}  old.tgz\n${SHA256}  app.tgz\n`, "dl/app.tgz"],
  ["sha256sum, a path", `${OLD}  ./a\n${SHA256}  ./x/app.tgz`, "app.tgz"],
  ["sha256sum, escaped", `\\${SHA256}  a\\\\b`, "a\\b"],
  ["CRLF", `${OLD}  old.tgz\r\n${SHA256}  app.tgz\r\n`, "app.tgz"],
  ["CR", `${OLD}  old.tgz\r${SHA256}  app.tgz\r`, "app.tgz"],
  [
    "BSD, three algorithms",
    `SHA1 (app.tgz) = ${SHA1}\nSHA256 (app.tgz) = ${SHA256}\nSHA512 (app.tgz) = ${SHA512}`,
    "app.tgz",
  ],
  ["OpenSSL", `SHA2-256(app.tgz)= ${SHA256}`, "app.tgz"],
  ["OpenSSL, standard input", `SHA2-256(stdin)= ${SHA256}`],
  [
    "Debian's Release",
    `MD5Sum:\n ${MD5}  12 main/Packages\n${
      hash("old", "md5")
    }  12 main/Sources\n` +
    `SHA256:\n ${SHA256}  12 main/Packages\n ${OLD}  12 main/Sources\n`,
    "Packages",
  ],
  [
    "Homebrew",
    `  url "https://files.example.com/packages/${
      "ab12".repeat(15)
    }/app.tgz"\n` +
    `  sha256 "${SHA256}"\n`,
    "app.tgz",
  ],
  [
    "Get-FileHash",
    "Algorithm       Hash                Path\r\n---------       ----                ----\r\n" +
    `SHA256          ${OLD.toUpperCase()}       C:\\my dl\\old.tgz\r\n` +
    `SHA256          ${SHA256.toUpperCase()}       C:\\my dl\\app.tgz\r\n`,
    "C:\\dl\\app.tgz",
  ],
  [
    "certutil",
    `SHA256 hash of app.tgz:\r\n${SHA256}\r\nCertUtil: -hashfile command completed successfully.`,
    "app.tgz",
  ],
  [
    "two algorithms next to the name",
    `| app.tgz | ${MD5} | ${SHA256} |\n| old.tgz | ${MD5} | ${OLD} |`,
    "app.tgz",
  ],
  ["pip", `app==1.0 --hash=sha256:${SHA256} \\`],
  ["a URL with a digest", `https://example.com/app.tgz#sha256=${SHA256}`],
  ["integrity", SRI],
  ["integrity, two algorithms", `${SRI_512} ${SRI}`],
  ["Repr-Digest", `Repr-Digest: sha-256=:${toBase64(SHA256)}:`],
  ["OpenSSH", `256 SHA256:${toBase64(SHA256).slice(0, -1)} me (ED25519)`],
  ["the same digest in two forms", `${SHA256}\n${SRI}`],
  [
    "a fingerprint in groups next to a list",
    `${SHA256}  app.tgz\nKey fingerprint = ${toGroups(EVIL_SHA1)}\n`,
    "app.tgz",
  ],
  ["a name that is a digest", `${SHA256}  ${EVIL}`, EVIL],
  ["a name with a prefix", `${OLD}  äapp.tgz\n${SHA256}  app.tgz`, "app.tgz"],
  [
    "a name with special characters",
    `${OLD}  (ab)*\n${SHA256}  a+b [1].(x)|$^{2}\\`,
    "a+b [1].(x)|$^{2}",
  ],
  [
    "years next to a digest",
    `1999 2000 2001 2002 2003 2004\n${SHA256}  a`,
  ],
];

Deno.test("findDigests() finds the digest of the file", async (t) => {
  for (const [name, list, path] of SHA256_LISTS) {
    await t.step(name, () => {
      const algorithm = "sha256";
      const expected = { algorithm, digests: [SHA256] } as const;
      assertEquals(findDigests(list, { algorithm, path }), expected);
    });
  }
});

Deno.test("findDigests() without an algorithm finds the strongest digest", () => {
  const rows = [
    [SHA1, "sha1", SHA1],
    [`SHA1: ${SHA1}\nSHA256: ${SHA256}`, "sha256", SHA256],
    [`${SRI} ${SRI_512}`, "sha512", SHA512],
    [
      `SHA512 (a) = ${EVIL_SHA512}\nSHA256 (app.tgz) = ${SHA256}`,
      "sha256",
      SHA256,
    ],
  ] as const;
  for (const [list, algorithm, digest] of rows) {
    const expected = { algorithm, digests: [digest] };
    assertEquals(findDigests(list, { path: "app.tgz" }), expected);
  }
});

Deno.test("findDigests() reads Base64 that starts with any character", () => {
  for (const byte of ["00", "69", "d0", "f8", "fb", "fc", "ff"]) {
    const hex = byte + SHA256.slice(2);
    const standard = toBase64(hex);
    const urlSafe = standard.replaceAll("+", "-").replaceAll("/", "_");
    for (const base64 of [standard, urlSafe, urlSafe.replace("=", "")]) {
      for (const list of [`sha256-${base64}`, `sha-256=:${base64}:`]) {
        const expected = { algorithm: "sha256", digests: [hex] } as const;
        assertEquals(findDigests(list), expected);
      }
    }
  }
});

Deno.test("findDigests() permits each digest of one integrity value", () => {
  const expected = { algorithm: "sha256", digests: [SHA256, EVIL] } as const;
  for (const separator of [" ", ` ${SRI_512} `]) {
    const list = `integrity="${SRI}${separator}${EVIL_SRI}"`;
    assertEquals(findDigests(list, { algorithm: "sha256" }), expected);
  }
});

const NONE = { requirement: "must contain a SHA-256 digest" };
const incomplete = (digits: number) => ({
  requirement: "must contain complete digests",
  got: `${digits} hexadecimal digits: paste only the digest`,
});
const SEVERAL = {
  requirement: "must contain one SHA-256 digest",
  got:
    "several different ones: rename the file to match the list, or paste one digest",
};
const GROUPS = {
  requirement: "must contain digests without gaps",
  got: "digits in groups: remove the spaces or colons between them",
};

type RejectedRow = readonly [expected: typeof NONE, ...Row];

/** Lists that are rejected, although most have the digest of the file. */
const REJECTED: readonly RejectedRow[] = [
  [NONE, "nothing", ""],
  [incomplete(63), "a digit too few", SHA256.slice(1)],
  [incomplete(65), "a digit too many", `${SHA256}0`],
  [SEVERAL, "rows without separators", `${EVIL}  a.txt${SHA256}  b.txt`],
  [NONE, "other algorithms", `${SHA1}\n${SHA512}\n${MD5}`],
  [NONE, "Base64 alone", toBase64(SHA256)],
  [NONE, "a character too many", `${SRI}A`],
  [NONE, "a file name in a list of MD5", `${MD5}  ${EVIL}.tgz`],
  [
    NONE,
    "only MD5 of the file",
    `MD5 (app.tgz) = ${MD5}\nSHA256 (old.tgz) = ${EVIL}`,
    "app.tgz",
  ],
  [SEVERAL, "two digests", `${SHA256}\n${EVIL}`],
  [SEVERAL, "two other files", `${SHA256}  a\n${EVIL}  b`, "c"],
  [SEVERAL, "a name twice", `${SHA256}  1/a\n${EVIL}  2/a`, "2/a"],
  ...["old a", "01 a", "a (1)", "a b", 'x "a"', "x: a", "*a"].flatMap(
    (other): RejectedRow[] => [
      [SEVERAL, `GNU, ${other}`, `${SHA256}  a\n${EVIL}  ${other}`, "a"],
      [
        SEVERAL,
        `BSD, ${other}`,
        `SHA256 (a) = ${SHA256}\nSHA256 (${other}) = ${EVIL}`,
        "a",
      ],
      [
        SEVERAL,
        `a sentence, ${other}`,
        `SHA-256 of a: ${SHA256}\nSHA-256 of ${other}: ${EVIL}`,
        "a",
      ],
    ],
  ),
  [
    SEVERAL,
    "trailing spaces",
    `${SHA256}  a  \n${EVIL}  old/a`,
    "a",
  ],
  [
    incomplete(65),
    "sha256sum -z without its null characters",
    `${EVIL}  d/a${SHA256}  d/b`,
    "d/b",
  ],
  [
    SEVERAL,
    "integrity of two files in columns",
    `a.js\ta.min.js\n${SRI}\t${EVIL_SRI}`,
    "a.js",
  ],
  [SEVERAL, "a file name that is a digest", `${SHA256}  ${EVIL}`, "a"],
  [SEVERAL, "a digest next to one of MD5", `${MD5}  ${EVIL}`],
  [SEVERAL, "the name within another", `${MD5}  a\n${MD5}  a ${EVIL}`, "a"],
  [SEVERAL, "two algorithms in a line", `MD5: ${MD5} SHA256: ${SHA256}`, "b"],
  [SEVERAL, "a digest in an address", `${SHA256} https://x/${EVIL}/a`],
  [SEVERAL, "integrity with a comma", `${SRI}, ${EVIL_SRI}`],
  [SEVERAL, "integrity in two lines", `${SRI}\n${EVIL_SRI}`],
  [SEVERAL, "integrity around the name", `${SRI} a.js ${EVIL_SRI}`, "a.js"],
  [GROUPS, "GnuPG", `app.tgz: ${toGroups(SHA256)}`, "app.tgz"],
  [GROUPS, "SHA-1 of GnuPG", `a ${EVIL}: ${toGroups(SHA1)}`, "a"],
  [GROUPS, "MD5 of GnuPG", `a ${EVIL}: ${MD5.replaceAll(/../g, "$& ")}`, "a"],
  [GROUPS, "a certificate", SHA256.replaceAll(/..(?!$)/g, "$&:")],
  [GROUPS, ".NET", SHA256.replaceAll(/..(?!$)/g, "$&-")],
];

Deno.test("findDigests() rejects a list that has no digest, or unclear ones", async (t) => {
  for (const [expected, name, list, path] of REJECTED) {
    await t.step(name, () => {
      const found = findDigests(list, { algorithm: "sha256", path });
      assertEquals<unknown>(found, expected);
    });
  }
});

/** Parts of lists. None is a digest of the content `evil` in hexadecimal. */
const parts = fc.oneof(
  fc.constantFrom(
    ...[" ", "  ", "\n", "\r\n", "\t", " *", " = ", ": ", ":", "-", "/", "\\"],
    ...["(", ")", '"', "`", ",", ".", "|", "a.tgz", "b.tgz", "sha256", "SHA1"],
    ...["sha256-", "sha512-", "sha-256=:", "SHA256:", "0x", "_", "A", "f", "="],
    // Every digest with one digit changed or removed, or in two parts.
    ...[EVIL_SHA1, EVIL, EVIL_SHA512].flatMap((hex) => [
      hex.slice(0, -1) + (hex.endsWith("0") ? "1" : "0"),
      ...[hex.slice(1), hex.slice(0, 32), hex.slice(32), toGroups(hex)],
      ...[toBase64(hex).replace(/^./, "_"), toBase64(hex).slice(1)],
    ]),
  ),
  fc.tuple(fc.constantFrom(...ALGORITHMS), fc.nat(5)).chain(([name, n]) => {
    const hex = hash(`${n}`, name);
    return fc.constantFrom(hex, `${name}-${toBase64(hex)}`, toBase64(hex));
  }),
);

/** Whether a list contains a digest, in hexadecimal or Base64 and in any case. */
function hasDigest(list: string, hex: string): boolean {
  const base64 = toBase64(hex).replace(/=+$/, "");
  const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
  return list.toLowerCase().includes(hex) || list.includes(base64) ||
    list.includes(urlSafe);
}

Deno.test("findDigests() finds no digest that the list doesn't have", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.constantFrom(undefined, "a.tgz", "evil", EVIL),
      (list, path) => {
        for (const algorithm of [undefined, ...ALGORITHMS]) {
          const result = findDigests(list, { algorithm, path });
          if ("requirement" in result) continue;
          found += 1;
          const { digests } = result;
          assert(digests.length > 0);
          assert(digests.every((hex) => hasDigest(list, hex)), list);
          const evil = [EVIL_SHA1, EVIL, EVIL_SHA512];
          for (const hex of evil.filter((hex) => !list.includes(hex))) {
            assert(!digests.includes(hex), list);
          }
        }
      },
    ),
    { numRuns: times(5_000) },
  );
  assert(found > 1_000, `${found} found`);
});

/** Tools that list digests, as functions that write the lines of a file. */
const TOOLS: readonly ((hex: string, name: string, tag: string) => string)[] = [
  (hex, name) => `${hex}  ${name}`,
  (hex, name) => `${hex} *${name}`,
  (hex, name) => ` ${hex}     1234 main/${name}`,
  (hex, name, tag) => `${tag} (${name}) = ${hex}`,
  (hex, name, tag) => `${tag}(${name})= ${hex}`,
  (hex, name, tag) => `${tag}   ${hex.toUpperCase()}   C:\\my dl\\${name}`,
  (hex, name) => `| \`${name}\` | ${hex} |`,
  (hex, name) => `- \`${name}\`: \`${hex}\``,
  (hex, name, tag) => `${name} (${tag}: ${hex})`,
  (hex, name) => `  ${JSON.stringify(name)}: "${hex}",`,
  (hex, name, tag) =>
    `  ${JSON.stringify(name)}: "${tag.toLowerCase()}-${toBase64(hex)}",`,
  (hex, name, tag) => `https://h/dl/${name}#${tag.toLowerCase()}=${hex}`,
  (hex, name) => `${name}: ${toGroups(hex)}`,
];

/** Parts of file names. They can contain a digest of the content `evil`. */
const nameParts = fc.constantFrom(
  ...[" ", ..."a b 1.0 .tgz - _ ( ) = : ä sha256".split(" ")],
  ...[EVIL_SHA1, EVIL, EVIL_SHA512, EVIL_SRI],
);
const names = fc.array(nameParts, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join("").trim()).filter((name) => name !== "");

Deno.test("a file that a list names passes with its own digest alone", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...TOOLS),
      fc.constantFrom<Algorithm>(...ALGORITHMS),
      fc.uniqueArray(names, { minLength: 1, maxLength: 4 }),
      (write, algorithm, names) => {
        const list = names.map((name) =>
          write(hash(name, algorithm), name, algorithm.toUpperCase())
        ).join("\n");
        for (const name of names) {
          const result = findDigests(list, { algorithm, path: `dl/${name}` });
          if ("requirement" in result) continue;
          found += 1;
          assertEquals(result.digests, [hash(name, algorithm)], list);
        }
      },
    ),
    { numRuns: times(300) },
  );
  assert(found > 300, `${found} found`);
});

Deno.test("findDigests() reads 1 MB of any characters in linear time", () => {
  const texts = ["a", "ab ", "ab:", "abcd ", "abcdef01 ", "sha1-", "a.tgz", "."]
    .concat([" ", "\n", "\r", "/", "-", "sha256-" + "A".repeat(43) + " "])
    .concat(["ab" + " ".repeat(999), "sha1-" + "A".repeat(27) + " ".repeat(99)])
    .concat(["g" + "a".repeat(100_000), `${"a".repeat(999)}g`]);
  for (const part of texts) {
    const list = part.repeat(1_000_000 / part.length);
    for (const path of ["a.tgz", "a", "a".repeat(255)]) {
      // A quadratic expression would need minutes.
      const found = findDigests(`${list}\nx`, { path });
      assert("requirement" in found || found.digests.length > 0);
    }
  }
});
