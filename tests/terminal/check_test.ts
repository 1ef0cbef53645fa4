/** `hash --check` with the lists that tools write, and with lists that are made to deceive. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { readVersion, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const EVIL = digest("evil");

/** Files of the lists, by name: two of them are named by the digest of a wrong file. */
const FILES: Readonly<Record<string, string>> = {
  "app-1.0.tgz": "one",
  "app-2.0.tgz": "two",
  "my app (x) = 3.tgz": "three",
  [`${EVIL}.tgz`]: "four",
  [`x sha256:${EVIL}: ${EVIL}`]: "five",
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
  ['openssl dgst -sha512 -c "$@"', "sha512"],
  ['openssl dgst -sha1 -r "$@"', "sha1"],
  ['gpg --print-md SHA256 "$@"', "sha256"],
  ['for file; do gpg --print-mds "$file"; done', "sha512"],
  ['shasum --algorithm 256 "$@"', "sha256"],
] as const;

for (const [command, algorithm] of TOOLS) {
  const [, tool = ""] = /(?:^|do )(?!for)(\w+)/.exec(command)!;
  const option = tool === "openssl" ? "version" : "--version";
  Deno.test({
    name: `hash --check takes the list of ${command} (needs ${tool})`,
    ignore: await readVersion(tool, option) === "",
    async fn() {
      const folder = await createFolder();
      const names = Object.keys(FILES).filter((name) => name.endsWith(".tgz"));
      const { output } = await runScript(
        `list() { ${command}; }
        check() {
          devutils hash ${algorithm} "$1" --check "$2" > result 2> error
          echo "$? $1"
        }
        LIST="$(list dl/*)"
        for file in dl/*.tgz evil.bin; do check "$file" "$LIST"; done
        check dl/${EVIL}.tgz "$(list dl/${EVIL}.tgz)"
        for file in dl/*${EVIL}*; do
          check evil.bin "$(list "$file")" | sed s/[12]/wrong/
        done`,
        folder,
      );
      assertEquals(output.trimEnd().split("\n"), [
        ...names.toSorted().map((name) => `0 dl/${name}`),
        "2 evil.bin",
        `0 dl/${EVIL}.tgz`,
        "wrong evil.bin",
        "wrong evil.bin",
      ]);
      await Deno.remove(folder, { recursive: true });
    },
  });
}

testOnPosix(
  "hash --check refuses a digest that may be the name of a file, but for the file of sha256sum",
  async () => {
    const folder = await createFolder();
    await Deno.writeTextFile(`${folder}/${EVIL}`, "two");
    const two = digest("two");
    const { output } = await runScript(
      `for text in "${EVIL} sha256 ${two}" "${two}  ${EVIL}"; do
      for file in evil.bin dl/app-2.0.tgz ${EVIL}; do
        devutils hash sha256 $file --check "$text" 2>&1; echo $?
      done
    done`,
      folder,
    );
    const refusal = ["--check must have one digest, got 2", "2"];
    assertEquals(output.trimEnd().split("\n"), [
      ...[...refusal, ...refusal, ...refusal],
      ...[...refusal, ...refusal],
      ...[two, "0"],
    ]);
    await Deno.remove(folder, { recursive: true });
  },
);

testOnPosix(
  "hash --check reads a list of 128 KiB, and names the line that it compares",
  async () => {
    const folder = await createFolder();
    const line = (i: number) => `${digest(`text ${i}`)}  file-${i}.txt\n`;
    const list = Array.from({ length: 1_600 }, (_, i) => line(i + 1)).join("");
    assert(list.length > 125_000 && list.length < 131_072);
    await Deno.writeTextFile(`${folder}/SHA256SUMS`, list);
    await Deno.writeTextFile(`${folder}/file-1599.txt`, "text 1599");
    await Deno.writeTextFile(`${folder}/file-1600.txt`, "other");
    const { output } = await runScript(
      `LIST="$(cat SHA256SUMS)"
    for file in file-1599.txt file-1600.txt evil.bin -; do
      devutils hash sha256 $file --check "$LIST" < evil.bin 2>&1; echo $?
    done`,
      folder,
    );
    assertEquals(output.trimEnd().split("\n"), [
      digest("text 1599"),
      "0",
      `"file-1600.txt" must have the digest in line 1600 of --check, got ${
        digest("other")
      }`,
      "1",
      '--check must name this file, got digests of "file-1.txt", "file-2.txt", "file-3.txt" and 1597 more',
      "2",
      '--check must have one digest for an input without a name, got digests of "file-1.txt", "file-2.txt", "file-3.txt" and 1597 more',
      "2",
    ]);
    await Deno.remove(folder, { recursive: true });
  },
);

testOnPosix(
  "hash --check takes a signed list, which begins with hyphens",
  async () => {
    const folder = await createFolder();
    const list = Object.entries(FILES)
      .map(([name, text]) => `${digest(text)}  ${name}\n`).join("");
    await Deno.writeTextFile(
      `${folder}/SHA256SUMS.asc`,
      `-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

${list}-----BEGIN PGP SIGNATURE-----

iHUEARYKAB0WIQT8c3G4V1Wc6nqXk3mYl4f1mR0b9AUCZxYzAAoJEPiXh/WZHRv0
${btoa(String.fromCharCode(...Uint8Array.fromHex(EVIL)))}
=pGQ1
-----END PGP SIGNATURE-----
`,
    );
    const { output } = await runScript(
      `for file in dl/app-*.tgz evil.bin; do
      devutils hash sha256 $file --check "$(cat SHA256SUMS.asc)" > result 2> error
      echo "$? $file"
    done`,
      folder,
    );
    const expected = "0 dl/app-1.0.tgz\n0 dl/app-2.0.tgz\n2 evil.bin\n";
    assertEquals(output, expected);
    await Deno.remove(folder, { recursive: true });
  },
);

testOnPosix(
  "hash --check asks for the strongest algorithm of a value",
  async () => {
    const integrity = (algorithm: string, text: string) =>
      `${algorithm}-${createHash(algorithm).update(text).digest("base64")}`;
    const value = `${integrity("sha1", "evil")} ${
      integrity("sha512", "right")
    }`;
    const { output } = await runScript(
      `printf evil | devutils hash sha1 --check "${value}" 2>&1; echo $?
    printf evil | devutils hash sha512 --check "${value}" > /dev/null 2>&1; echo $?
    printf right | devutils hash sha512 --check "${value}" > /dev/null; echo $?`,
    );
    assertEquals(output.trimEnd().split("\n"), [
      "--check must be a digest of sha1, got one of sha512: use hash sha512",
      "2",
      "1",
      "0",
    ]);
  },
);
