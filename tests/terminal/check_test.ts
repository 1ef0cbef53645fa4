/** `hash --check` with the lists that tools write, as a user in a shell sees it. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { createFolder, readVersion, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const EVIL = digest("evil");

/** Files of the lists, by name. One name contains the digest of another file. */
const FILES: Readonly<Record<string, string>> = {
  "app-1.0.tgz": "one",
  "app-2.0.tgz": "two",
  "my app (x) = 3.tgz": "three",
  [`${EVIL}.tgz`]: "four",
};

/** Creates a folder with the files in `dl`, and with `evil.bin`, which no list contains. */
async function createFiles() {
  const folder = await createFolder();
  await Deno.mkdir(`${folder.path}/dl`);
  for (const [name, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(`${folder.path}/dl/${name}`, text);
  }
  await Deno.writeTextFile(`${folder.path}/evil.bin`, "evil");
  return folder;
}

/** Commands that list the digests of files, with the algorithm. */
const TOOLS = [
  ['sha256sum "$@"', "sha256"],
  ['sha1sum --binary "$@"', "sha1"],
  ['sha512sum --tag "$@"', "sha512"],
  ['openssl dgst -sha256 "$@"', "sha256"],
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
      await using folder = await createFiles();
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
        check evil.bin "$(list dl/${EVIL}.tgz)" | sed s/[12]/rejected/`,
        folder.path,
      );
      assertEquals(output.trimEnd().split("\n"), [
        ...Object.keys(FILES).toSorted().map((name) => `0 dl/${name}`),
        "2 evil.bin",
        "1 app-1.0.tgz",
        "rejected evil.bin",
      ]);
    },
  });
}

testOnPosix("hash --check reports what to do", async () => {
  await using folder = await createFiles();
  const [one, two] = [digest("one"), digest("two")];
  const list = `${one}  app-1.0.tgz\n${two}  app-2.0.tgz\n`;
  await Deno.writeTextFile(`${folder.path}/SHA256SUMS`, list);
  const groups = one.toUpperCase().replaceAll(/.{8}/g, "$& ").trim();
  const several =
    "--check must contain one SHA-256 digest, got several different ones: " +
    "rename the file to match the list, or paste one digest";
  const path =
    '--check must be a digest or a checksum list, got a file path: use --check "$(cat SHA256SUMS)"';
  const app = "dl/app-1.0.tgz";
  const rows = [
    ["evil.bin", "$(cat SHA256SUMS)", 2, several],
    ["- < dl/app-1.0.tgz", "$(cat SHA256SUMS)", 2, several],
    [app, "$(cat SHA256SUMS)", 0, one],
    [app, two, 1, `"${app}" must have the digest ${two}, got ${one}`],
    [app, "SHA256SUMS", 2, path],
    [app, "dl", 2, '--check must contain a SHA-256 digest, got "dl"'],
    [
      app,
      createHash("sha512").update("one").digest("hex"),
      2,
      "--check must contain a SHA-256 digest, got a sha512 digest: use hash sha512",
    ],
    [
      app,
      groups,
      2,
      "--check must contain digests without gaps, got digits in groups: remove the spaces or colons between them",
    ],
  ] as const;
  const { output } = await runScript(
    rows.map(([file, check]) =>
      `devutils hash sha256 --check "${check}" ${file} 2>&1; echo $?`
    ).join("\n"),
    folder.path,
  );
  assertEquals(
    output.trimEnd().split("\n"),
    rows.flatMap(([_file, _check, status, message]) => [message, `${status}`]),
  );
});

testOnPosix(
  "hash --check reads a signed list of 128 KiB, which starts with hyphens",
  async () => {
    await using folder = await createFiles();
    const { path } = folder;
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
    await Deno.writeTextFile(`${path}/SHA256SUMS.asc`, list);
    await Deno.writeTextFile(`${path}/file-1549.txt`, "text 1549");
    const { output } = await runScript(
      `for file in file-1549.txt evil.bin; do
        devutils hash sha256 $file --check "$(cat SHA256SUMS.asc)" > result 2> error
        echo $?
      done`,
      path,
    );
    assertEquals(output, "0\n2\n");
  },
);
