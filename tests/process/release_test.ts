/** The files of a release, always the same, and the standard library from JSR. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import record from "../../web/vendor/packages.json" with { type: "json" };
import { loadOperations } from "../../routes/operations.ts";
import { readVersion, run } from "../_server.ts";

const { version } = config;
const LINUX = `devutils-${version}-x86_64-unknown-linux-gnu`;
const WINDOWS = `devutils-${version}-x86_64-pc-windows-msvc`;

const canPublish = Deno.build.os === "linux" &&
  await readVersion("jq") !== "" && await readVersion("zip", "-v") !== "" &&
  await readVersion("unzip", "-v") !== "";

/** Registers a test of the scripts in tools/publish/. */
function testPublishing(
  name: string,
  fn: (t: Deno.TestContext) => Promise<void>,
): void {
  const needs = "(needs Linux, jq, zip and unzip)";
  Deno.test({ name: `${name} ${needs}`, ignore: !canPublish, fn });
}

/** A copy of the repository. */
interface Copy extends AsyncDisposable {
  readonly folder: string;
  /** Runs a line of the shell in the copy, and returns its output. */
  sh(line: string): Promise<string>;
  /** Runs a line that fails, and returns its errors. */
  fail(line: string): Promise<string>;
}

/** Copies what a release is made of, with a changelog that has a section for it. */
async function copyRepository(): Promise<Copy> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  async function runLine(line: string) {
    const PATH = `${await Deno.realPath(folder)}/bin:${Deno.env.get("PATH")}`;
    // A small program in place of Deno's runtime.
    const env = { PATH, DENO: Deno.execPath(), DENORT_BIN: "/bin/true" };
    return await run(["bash", "-c", `set -e; ${line}`], { cwd: folder, env });
  }
  async function sh(line: string): Promise<string> {
    const { code, output, log } = await runLine(line);
    assertEquals(code, 0, `${line}: ${log}`);
    return output;
  }
  await sh(
    `mkdir bin tests && ln -s "$DENO" bin/deno && cd ../../.. &&
    cp -r deno.json deno.lock LICENSE main.ts lib routes web tools "$OLDPWD" &&
    cp tests/deno.lock "$OLDPWD/tests"`,
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
    sh,
    async fail(line) {
      const { code, log } = await runLine(line);
      assertEquals(code, 1, line);
      return log;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/**
 * Makes the files of a release from two small files in place of binaries.
 *
 * @param circumstances Lines of the shell that run before, in the folder of the files.
 */
async function makeDist({ sh }: Copy, circumstances = ""): Promise<void> {
  await sh(
    `rm -rf dist && mkdir dist && cd dist && echo binary > ${LINUX}
    echo binary > ${WINDOWS}.exe && echo program > devutils.js
    ${circumstances}
    ../tools/publish/dist v${version}`,
  );
}

testPublishing(
  "a release has archives, bundles, components and notes, with their checksums",
  async (t) => {
    await using copy = await copyRepository();
    const { folder, sh } = copy;
    await makeDist(copy);
    const sums = await Deno.readTextFile(`${folder}/dist/SHA256SUMS`);
    const names = sums.trimEnd().split("\n").map((line) =>
      line.split("  ")[1]!
    );
    const archives = [
      "devutils.cdx.json",
      `${LINUX}.mcpb`,
      `${LINUX}.tar.gz`,
      `${WINDOWS}.mcpb`,
      `${WINDOWS}.zip`,
      "devutils.js",
    ];
    assertEquals(names.toSorted(), archives.toSorted());
    await sh("cd dist && sha256sum --check SHA256SUMS");
    assertEquals(
      await Deno.readTextFile(`${folder}/dist/notes.md`),
      "\nNotes.\n\n",
    );

    await t.step("the archives have the binary, which can be run", async () => {
      const list = "TZ=UTC tar --list --verbose --full-time --numeric-owner";
      const line = `-rwxr-xr-x 0/0 7 2026-11-22 00:00:00 ${LINUX}\n`;
      const listed = await sh(`${list} --file dist/${LINUX}.tar.gz`);
      assertEquals(listed.replaceAll(/ +/g, " "), line);
      const zipped = await sh(`unzip -p dist/${WINDOWS}.zip ${WINDOWS}.exe`);
      assertEquals(zipped, "binary\n");
    });

    await t.step("a bundle for agents starts its binary", async () => {
      for (
        const [name, file] of [[LINUX, LINUX], [WINDOWS, `${WINDOWS}.exe`]]
      ) {
        const unzip = `unzip -p dist/${name}.mcpb`;
        const { server, tools } = JSON.parse(
          await sh(`${unzip} manifest.json`),
        );
        const { entry_point, mcp_config: { command, args } } = server;
        assertEquals(entry_point, `server/${file}`);
        assertEquals([command, args], [`\${__dirname}/${entry_point}`, [
          "mcp",
        ]]);
        assertEquals(tools.length, (await loadOperations()).length);
        assertEquals(await sh(`${unzip} ${entry_point}`), "binary\n");
        const [modes] = (await sh(`unzip -Z dist/${name}.mcpb server/${file}`))
          .split(" ");
        assertEquals(modes, "-rwxr-xr-x");
      }
    });

    await t.step("the components are Deno and the packages in it", async () => {
      const path = `${folder}/dist/devutils.cdx.json`;
      const { components } = JSON.parse(await Deno.readTextFile(path));
      const found = components.map((
        { name, version }: Record<string, string>,
      ) => `${name}@${version}`);
      const { npm } = JSON.parse(await Deno.readTextFile("deno.lock"));
      const vendored = Object.entries(record.packages)
        .map(([name, version]) => `${name}@${version}`);
      const expected = [...Object.keys(npm), ...vendored];
      assertEquals(found[0], `deno@${Deno.version.deno}`);
      for (const name of expected) assert(found.includes(name), name);
    });
  },
);

testPublishing(
  "a release that is made again of the same binaries has the same checksums",
  async () => {
    await using copy = await copyRepository();
    async function makeSums(circumstances: string): Promise<string> {
      await makeDist(copy, circumstances);
      return await Deno.readTextFile(`${copy.folder}/dist/SHA256SUMS`);
    }
    assertEquals(
      await makeSums("umask 022; touch --date=2026-11-20 *"),
      await makeSums(
        "umask 077; touch --date=2026-11-21 *; export TZ=Asia/Tokyo",
      ),
    );
  },
);

testPublishing(
  "a binary that is compiled again, in another folder, has the same checksum",
  async () => {
    async function compile(): Promise<string> {
      // The files of a copy have the time of the copying.
      await using copy = await copyRepository();
      return await copy.sh(
        `tools/publish/fix_times 2026-11-22
      deno compile --quiet --output bin/devutils main.ts
      sha256sum bin/devutils`,
      );
    }
    assertEquals(await compile(), await compile());
  },
);

testPublishing(
  "a tag that is not the version, or has no section in the changelog, stops",
  async () => {
    await using copy = await copyRepository();
    const { sh, fail } = copy;
    await sh("mkdir dist");
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

/**
 * Writes packages with the types that lib/std.d.ts has, which Deno takes in place of those
 * of JSR. Returns their folders.
 */
async function writeStandIns(folder: string): Promise<string[]> {
  const types = await Deno.readTextFile("lib/std.d.ts");
  const modules = types.matchAll(/^declare module "([^"]+)" \{([^]*?)^\}/gm);
  const packages = new Map<string, Record<string, string>>();
  for (const [, name, code] of modules) {
    const [, id, path = ""] = /^@std\/(\w+)(\/.+)?$/.exec(name!)!;
    const stand = `stand-ins/${id}`;
    await Deno.mkdir(`${folder}/${stand}`, { recursive: true });
    const file = `.${path || "/mod"}.d.ts`;
    await Deno.writeTextFile(`${folder}/${stand}/${file}`, code!);
    packages.set(id!, { ...packages.get(id!), [`.${path}`]: file });
  }
  for (const [id, exports] of packages) {
    await Deno.writeTextFile(
      `${folder}/stand-ins/${id}/deno.json`,
      JSON.stringify({ name: `@std/${id}`, version: "1.0.0", exports }),
    );
  }
  return [...packages.keys()].map((id) => `./stand-ins/${id}`);
}

testPublishing(
  "tools/publish/use_jsr.ts takes the standard library from JSR, and nothing needs the copy on npm any more",
  async () => {
    await using copy = await copyRepository();
    const { folder, sh } = copy;
    await sh(
      "deno run --allow-read=. --allow-write=. tools/publish/use_jsr.ts && deno fmt --check deno.json",
    );
    const text = await Deno.readTextFile(`${folder}/deno.json`);
    assert(!text.includes("deno-std"));
    const changed = JSON.parse(text);
    const { imports, scopes, ...others } = config;
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
    const { types: _types, ...compilerOptions } = others.compilerOptions;
    assertEquals(
      { ...changed, imports, scopes },
      { ...others, imports, scopes, compilerOptions },
    );

    // JSR itself cannot be reached by every machine that tests.
    const links = await writeStandIns(folder);
    const linked = { ...changed, links, lock: undefined };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(linked));
    await sh("rm deno.lock && deno check --no-lock main.ts routes lib");
  },
);
