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

/** Registers a test of the programs in `tools/publish/`, which runs lines of a shell in a copy. */
function testPublishing(
  name: string,
  fn: (
    runLine: (line: string) => ReturnType<typeof run>,
    folder: string,
  ) => Promise<void>,
): void {
  Deno.test({
    name: `${name} (needs Linux, jq, zip, and unzip)`,
    ignore: !canPublish,
    async fn() {
      await using copy = await createFolder();
      const env = { DENO: Deno.execPath() };
      const runLine = (line: string) =>
        run(["bash", "-c", `set -e; ${line}`], { cwd: copy.path, env });
      await runLine('cd ../../.. && cp -r deno.json lib tools "$OLDPWD"');
      await fn(runLine, copy.path);
    },
  });
}

const CHANGELOG = `# Changelog

## ${version} (2026-11-22)

Notes.

## 0.0.9 (2026-01-01)

Older notes.
`;

testPublishing(
  "a release has an archive of each binary, notes, and checksums of all files",
  async (runLine, folder) => {
    await Deno.writeTextFile(`${folder}/CHANGELOG.md`, CHANGELOG);
    const { code, log } = await runLine(
      `mkdir dist && cd dist && echo binary > ${LINUX}
      echo binary > ${WINDOWS}.exe && echo program > devutils.js
      ../tools/publish/dist v${version}`,
    );
    assertEquals(code, 0, log);
    const sums = await Deno.readTextFile(`${folder}/dist/SHA256SUMS`);
    const names = [...sums.matchAll(/ {2}(.+)$/gm)].map(([, name]) => name!);
    const expected = [`${LINUX}.tar.gz`, `${WINDOWS}.zip`, "devutils.js"];
    assertEquals(names.toSorted(), expected.toSorted());
    const check = await runLine("cd dist && sha256sum --check SHA256SUMS");
    assertEquals(check.code, 0, check.log);
    const notes = await Deno.readTextFile(`${folder}/dist/notes.md`);
    assertEquals(notes, "\nNotes.\n\n");
    const list = "tar --list --verbose --numeric-owner --file";
    const listed = await runLine(`${list} dist/${LINUX}.tar.gz`);
    assert(listed.output.startsWith("-rwxr-xr-x 0/0"), listed.output);
    assert(listed.output.endsWith(` ${LINUX}\n`), listed.output);
    const unzip = `unzip -p dist/${WINDOWS}.zip ${WINDOWS}.exe`;
    assertEquals((await runLine(unzip)).output, "binary\n");
  },
);

testPublishing(
  "a release fails if its tag differs from the version or has no section in the changelog",
  async (runLine, folder) => {
    const text = CHANGELOG.replace(" (2026-11-22)", "");
    await Deno.writeTextFile(`${folder}/CHANGELOG.md`, text);
    assertEquals(await runLine("tools/publish/dist v9.9.9"), {
      code: 1,
      output: "",
      log: `the tag is v9.9.9, but the version in deno.json is ${version}\n`,
    });
    const { code, log } = await runLine(`tools/publish/dist v${version}`);
    assertEquals(code, 1);
    const error = `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"`;
    assertStringIncludes(log, error);
  },
);

testPublishing(
  "tools/publish/use_jsr.ts replaces the npm copy of the standard library with JSR",
  async (runLine, folder) => {
    const { code, log } = await runLine(
      `"$DENO" run --allow-read=. --allow-write=. tools/publish/use_jsr.ts
      "$DENO" fmt --check deno.json`,
    );
    assertEquals(code, 0, log);
    const text = await Deno.readTextFile(`${folder}/deno.json`);
    const { imports, scopes, compilerOptions, ...otherSettings } = config;
    const changed = JSON.parse(text);
    const replaceImports = (map: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(map).map(([name, specifier]) => {
          const onJsr = name.replace(/^(@std\/\w+)/, "jsr:$1@^1");
          return [name, onJsr === name ? specifier : onJsr];
        }),
      );
    const { types: _types, ...otherOptions } = compilerOptions;
    assertEquals(changed, {
      ...otherSettings,
      imports: replaceImports(imports),
      scopes: { "./": replaceImports(scopes["./"]) },
      compilerOptions: otherOptions,
    });
  },
);
