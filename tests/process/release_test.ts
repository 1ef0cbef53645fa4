/** The files of a release, and the standard library from JSR. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { createFolder, readVersion, run } from "../_server.ts";

const { version } = config;
const LINUX = `devutils-${version}-x86_64-unknown-linux-gnu`;
const WINDOWS = `devutils-${version}-x86_64-pc-windows-msvc`;

const canPublish = Deno.build.os === "linux" &&
  await readVersion("jq") !== "" && await readVersion("zip", "-v") !== "" &&
  await readVersion("unzip", "-v") !== "";

/** Registers a test of the programs in `tools/publish/`. */
function testPublishing(name: string, fn: () => Promise<void>): void {
  const needs = "(needs Linux, jq, zip and unzip)";
  Deno.test({ name: `${name} ${needs}`, ignore: !canPublish, fn });
}

/** Copies the repository without its tests, with a changelog section for the version. */
async function copyRepository() {
  const created = await createFolder();
  const folder = created.path;
  async function runLine(line: string) {
    const env = { DENO: Deno.execPath() };
    return await run(["bash", "-c", `set -e; ${line}`], { cwd: folder, env });
  }
  async function sh(line: string): Promise<string> {
    const { code, output, log } = await runLine(line);
    assertEquals(code, 0, `${line}: ${log}`);
    return output;
  }
  await sh(
    `cd ../../.. &&
    cp -r deno.json lib tools "$OLDPWD"`,
  );
  const changelog = await Deno.readTextFile("CHANGELOG.md");
  const heading =
    `## ${version} (2026-11-22)\n\nNotes.\n\n## 0.0.9 (2026-01-01)`;
  await Deno.writeTextFile(
    `${folder}/CHANGELOG.md`,
    changelog.replace("## Unreleased", heading),
  );
  return {
    folder,
    /** Runs a shell command in the copy, and returns its output. */
    sh,
    /** Runs a shell command that must fail, and returns its errors. */
    async fail(line: string): Promise<string> {
      const { code, log } = await runLine(line);
      assertEquals(code, 1, line);
      return log;
    },
    [Symbol.asyncDispose]: () => created[Symbol.asyncDispose](),
  };
}

testPublishing(
  "a release has an archive of each binary, notes, and checksums of all files",
  async () => {
    await using copy = await copyRepository();
    const { folder, sh } = copy;
    await sh(
      `mkdir dist && cd dist && echo binary > ${LINUX}
      echo binary > ${WINDOWS}.exe && echo program > devutils.js
      ../tools/publish/dist v${version}`,
    );
    const sums = await Deno.readTextFile(`${folder}/dist/SHA256SUMS`);
    const names = sums.trimEnd().split("\n")
      .map((line) => line.split("  ")[1]!);
    const expected = [`${LINUX}.tar.gz`, `${WINDOWS}.zip`, "devutils.js"];
    assertEquals(names.toSorted(), expected.toSorted());
    await sh("cd dist && sha256sum --check SHA256SUMS");
    const notes = await Deno.readTextFile(`${folder}/dist/notes.md`);
    assertEquals(notes, "\nNotes.\n\n");
    const list = "tar --list --verbose --numeric-owner --file";
    const listed = await sh(`${list} dist/${LINUX}.tar.gz`);
    assert(listed.startsWith("-rwxr-xr-x 0/0"), listed);
    assert(listed.endsWith(` ${LINUX}\n`), listed);
    const zipped = await sh(`unzip -p dist/${WINDOWS}.zip ${WINDOWS}.exe`);
    assertEquals(zipped, "binary\n");
  },
);

testPublishing(
  "a release fails if its tag differs from the version or has no section in the changelog",
  async () => {
    await using copy = await copyRepository();
    const { sh, fail } = copy;
    assertEquals(
      await fail("tools/publish/dist v9.9.9"),
      `the tag is v9.9.9, but the version in deno.json is ${version}\n`,
    );
    await sh("sed --in-place '/^## /s/(.*//' CHANGELOG.md");
    assertStringIncludes(
      await fail(`tools/publish/dist v${version}`),
      `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`,
    );
  },
);

testPublishing(
  "tools/publish/use_jsr.ts replaces the npm copy of the standard library with JSR",
  async () => {
    await using copy = await copyRepository();
    const { folder, sh } = copy;
    await sh(
      `"$DENO" run --allow-read=. --allow-write=. tools/publish/use_jsr.ts
      "$DENO" fmt --check deno.json`,
    );
    const text = await Deno.readTextFile(`${folder}/deno.json`);
    assert(!text.includes("deno-std"));
    const changed = JSON.parse(text);
    const { imports, scopes, ...otherSettings } = config;
    const before = Object.entries({ ...imports, ...scopes["./"] });
    const expected = before.map(([name, specifier]) => [
      name,
      name.startsWith("@std/")
        ? name.replace(/^(@std\/\w+)/, "jsr:$1@^1")
        : specifier,
    ]);
    assertEquals(
      { ...changed.imports, ...changed.scopes["./"] },
      Object.fromEntries(expected),
    );
    const { types: _types, ...compilerOptions } = otherSettings.compilerOptions;
    assertEquals(
      { ...changed, imports, scopes },
      { ...otherSettings, imports, scopes, compilerOptions },
    );
  },
);
