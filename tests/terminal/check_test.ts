/** `hash --check` with the lists that tools write, as a user in a shell sees it. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { readVersion, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function toBase64(hex: string): string {
  return Uint8Array.fromHex(hex).toBase64();
}

const EVIL = digest("evil");

/** Files of the lists, by name: one of them is named by the digest of a wrong file. */
const FILES: Readonly<Record<string, string>> = {
  "app-1.0.tgz": "one",
  "app-2.0.tgz": "two",
  "my app (x) = 3.tgz": "three",
  [`${EVIL}.tgz`]: "four",
};

/** Makes a folder with the files, and a wrong one, which is in no list. */
async function createFolder(): Promise<string> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  await Deno.mkdir(`${folder}/dl`);
  for (const [name, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(`${folder}/dl/${name}`, text);
  }
  await Deno.writeTextFile(`${folder}/evil.bin`, "evil");
  return folder;
}

/** Commands that list the digests of files, with the algorithm. */
const TOOLS = [
  ['sha256sum "$@"', "sha256"],
  ['sha1sum --binary "$@"', "sha1"],
  ['sha512sum --tag "$@"', "sha512"],
  ['openssl dgst -sha256 "$@"', "sha256"],
  ['openssl dgst -sha512 "$@"', "sha512"],
  ['openssl dgst -sha1 -r "$@"', "sha1"],
  ['shasum --algorithm 256 "$@"', "sha256"],
] as const;

for (const [command, algorithm] of TOOLS) {
  const [tool = ""] = command.split(" ");
  const option = tool === "openssl" ? "version" : "--version";
  Deno.test({
    name: `hash --check reads the list of ${command} (needs ${tool})`,
    ignore: await readVersion(tool, option) === "",
    async fn() {
      const folder = await createFolder();
      const { output } = await runScript(
        `list() { ${command}; }
        check() {
          devutils hash ${algorithm} "$1" --check "$2" > result 2> error
          echo "$? $1"
        }
        LIST="$(list dl/*)"
        for file in dl/* evil.bin; do check "$file" "$LIST"; done
        cp evil.bin app-1.0.tgz
        check app-1.0.tgz "$LIST"
        check evil.bin "$(list dl/${EVIL}.tgz)" | sed s/[12]/wrong/`,
        folder,
      );
      assertEquals(output.trimEnd().split("\n"), [
        ...Object.keys(FILES).toSorted().map((name) => `0 dl/${name}`),
        "2 evil.bin",
        "1 app-1.0.tgz",
        "wrong evil.bin",
      ]);
      await Deno.remove(folder, { recursive: true });
    },
  });
}

testOnPosix("hash --check says what to do", async () => {
  const folder = await createFolder();
  const [one, two] = [digest("one"), digest("two")];
  const list = `${one}  app-1.0.tgz\n${two}  app-2.0.tgz\n`;
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, list);
  await Deno.writeTextFile(`${folder}/my sums`, list);
  const groups = one.toUpperCase().replaceAll(/.{8}/g, "$& ").trim();
  const several = "--check must have one SHA-256 digest, got different ones: " +
    "name the file as in the list, or paste one digest";
  const path =
    "--check must be a digest or a checksum list, got the path of a file: use --check ";
  const rows = [
    ["evil.bin", "$(cat SHA256SUMS)", 2, several],
    ["- < dl/app-1.0.tgz", "$(cat SHA256SUMS)", 2, several],
    ["dl/app-1.0.tgz", "$(cat SHA256SUMS)", 0, one],
    [
      "dl/app-2.0.tgz",
      one,
      1,
      `"dl/app-2.0.tgz" must have the digest ${one}, got ${two}`,
    ],
    [
      "evil.bin",
      `sha256-${toBase64(one)} sha256-${toBase64(two)}`,
      1,
      `"evil.bin" must have the digest ${one} or ${two}, got ${EVIL}`,
    ],
    ["dl/app-1.0.tgz", "SHA256SUMS", 2, `${path}"$(cat SHA256SUMS)"`],
    ["dl/app-1.0.tgz", "./my sums", 2, `${path}"$(cat FILE)"`],
    ["dl/app-1.0.tgz", "dl", 2, '--check must have a SHA-256 digest, got "dl"'],
    [
      "dl/app-1.0.tgz",
      createHash("sha512").update("one").digest("hex"),
      2,
      "--check must have a SHA-256 digest, got one of sha512: use hash sha512",
    ],
    [
      "dl/app-1.0.tgz",
      groups,
      2,
      "--check must have digests without gaps, got digits in groups: remove the spaces or colons between them",
    ],
  ] as const;
  const { output } = await runScript(
    rows.map(([file, check]) =>
      `devutils hash sha256 --check "${check}" ${file} 2>&1; echo $?`
    ).join("\n"),
    folder,
  );
  assertEquals(
    output.trimEnd().split("\n"),
    rows.flatMap(([_file, _check, status, message]) => [message, `${status}`]),
  );
  await Deno.remove(folder, { recursive: true });
});

testOnPosix(
  "hash --check takes a signed list of 128 KiB, which begins with hyphens",
  async () => {
    const folder = await createFolder();
    const lines = Array.from(
      { length: 1_550 },
      (_, i) => `${digest(`text ${i}`)}  file-${i}.txt\n`,
    );
    const list = `-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

${lines.join("")}-----BEGIN PGP SIGNATURE-----

iHUEARYKAB0WIQT8c3G4V1Wc6nqXk3mYl4f1mR0b9AUCZxYzAAoJEPiXh/WZHRv0
=pGQ1
-----END PGP SIGNATURE-----
`;
    assert(list.length > 120_000 && list.length < 131_072);
    await Deno.writeTextFile(`${folder}/SHA256SUMS.asc`, list);
    await Deno.writeTextFile(`${folder}/file-1549.txt`, "text 1549");
    await Deno.writeTextFile(`${folder}/file-1548.txt`, "evil");
    const { output } = await runScript(
      `for file in file-1549.txt file-1548.txt evil.bin; do
      devutils hash sha256 $file --check "$(cat SHA256SUMS.asc)" > result 2> error
      echo "$? $file"
    done`,
      folder,
    );
    const expected = "0 file-1549.txt\n1 file-1548.txt\n2 evil.bin\n";
    assertEquals(output, expected);
    await Deno.remove(folder, { recursive: true });
  },
);
