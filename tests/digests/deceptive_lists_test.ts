/** Lists and texts that are made to let a wrong file pass, drawn at random. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { findDigest } from "../../lib/digests/choice.ts";
import fc, { times } from "../_random.ts";
import { EVIL, EVIL_SHA256, find, SHA256, writeGroups } from "./_digests.ts";

/** The tools that list digests, as functions that write the line of a file. */
const TOOLS: readonly ((hex: string, file: string) => string)[] = [
  // sha256sum escapes LF, CR and backslashes; shasum and OpenSSL do not escape CR.
  (hex, file) =>
    /[\n\r\\]/.test(file) ? `\\${hex}  ${escapeName(file)}` : `${hex}  ${file}`,
  (hex, file) => `${hex} *${file}`,
  (hex, file) => `${nameAlgorithm(hex)} (${file}) = ${hex}`,
  (hex, file) =>
    `${nameAlgorithm(hex).replace(/SHA(?=...)/, "SHA2-")}(${file})= ${hex}`,
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

/** Tools of whose lists no digest is chosen by the name of a file. */
const OTHER_TOOLS: typeof TOOLS = [
  // SHA-3 is not computed.
  (hex, file) => `SHA3-256(${file})= ${hex}`,
  // The name of a file is not told from other words. The strongest digest of a line counts,
  // so theirs is of SHA-512.
  (hex, file) => `${file} sha512 ${strengthen(hex)}`,
  (hex, file) => `${file}\tSHA512\t${strengthen(hex)}`,
  (hex, file) => `${file}  integrity ${writeIntegrity(strengthen(hex))}`,
];

function strengthen(hex: string) {
  return createHash("sha512").update(hex).digest("hex");
}

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
    fc.constantFrom(...TOOLS, ...OTHER_TOOLS),
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

/** Writes digests in all notations in which they are read without an algorithm's name. */
function writeForms(hex: string) {
  return [
    ...[hex, hex.toUpperCase(), `0x${hex}`, Uint8Array.fromHex(hex).toBase64()],
    ...[":", "-"].map((sign) => hex.replaceAll(/..(?!$)/g, `$&${sign}`)),
  ];
}

/** Separators of the name of a file and its digest. */
const SEPARATORS = [
  ...[" ", "  ", "\t", " *", " | ", " => ", " - ", "\u00a0", " ("],
  ...[" sha256 ", "\tSHA512\t", " SHA-1:", " = ", ' sha256 "', " (sha256) "],
  ...[" size 12 sha512 ", " --sha256=", " /dl/x ", " is "],
];

/** Texts behind the digest of a file. */
const ENDS = ["", ".", ",", '"', ")", " |", ": OK", " = x", " ./evil.bin"];

Deno.test("a file that is named by a digest never passes with it, in any notation", () => {
  const right = ["md5", "sha1", "sha256", "sha512"].map((algorithm) =>
    createHash(algorithm).update("right").digest("hex")
  );
  const digests = right.flatMap((hex) => [
    ...writeForms(hex).slice(hex.length === 32 ? 4 : 0),
    writeIntegrity(hex),
    writeGroups(hex),
  ]);
  for (const name of EVIL.flatMap(writeForms)) {
    for (const separator of SEPARATORS) {
      for (const [i, digest] of digests.entries()) {
        const end = ENDS[i % ENDS.length]!;
        const text = name + separator + digest + end;
        for (const file of [undefined, "evil.bin", name]) {
          const found = findDigest(text, file);
          assert("rule" in found || !EVIL.includes(found.hex), text);
        }
      }
    }
  }
});

Deno.test("a file that is named by a digest passes with its own alone", () => {
  for (const name of [...writeForms(EVIL_SHA256), `sha256 ${EVIL_SHA256}`]) {
    // No name has a slash, and what is behind a colon may be a digest.
    if (/[/:]/.test(name)) continue;
    for (const text of [`${SHA256}  ${name}`, `${SHA256} *dir/${name}`]) {
      assertEquals(find(text, `dir/${name}`), `sha256 ${SHA256}`, text);
      for (const file of [undefined, "evil.bin"]) {
        const refusal = { rule: "must have one digest", got: "2" };
        if (!text.includes("/")) assertEquals(find(text, file), refusal, text);
      }
    }
  }
});

Deno.test("each file of a list passes with its own digest alone", () => {
  const names = ["a-1.0.tgz", "my file (1).exe", "ä b.txt", "x=1.bin", "1 b"];
  const algorithms = ["sha1", "sha256", "sha512"] as const;
  for (const write of TOOLS) {
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
