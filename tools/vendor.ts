/**
 * Builds `web/vendor/packages.js` from `tools/packages.js` and the npm
 * packages that `tests/deno.lock` pins. `web/vendor/packages.json` records the
 * versions of packages and Deno, and a checksum. With `--check` it writes nothing,
 * and fails if a new build differs from the existing files.
 *
 * @module
 */

const MODULE = "web/vendor/packages.js";
const RECORD = "web/vendor/packages.json";
const LOCK = "tests/deno.lock";

/** Lists packages and all their dependencies, with their versions. */
function listPackages(
  names: readonly string[],
  packages: Readonly<Record<string, { dependencies?: string[] }>>,
): Map<string, string> {
  const versions = new Map<string, string>();
  const queue = [...names];
  for (const name of queue) {
    const key = Object.keys(packages).find((key) => key.startsWith(`${name}@`));
    if (!key) throw new Error(`${LOCK} has no ${name}`);
    if (versions.has(name)) continue;
    versions.set(name, key.slice(name.length + 1));
    queue.push(...packages[key]!.dependencies ?? []);
  }
  return new Map([...versions].toSorted());
}

async function runDeno(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** Returns the licence texts, each after the packages that have it and their authors. */
async function readLicences(versions: Map<string, string>): Promise<string> {
  const { npmCache } = JSON.parse(await runDeno("info", "--json"));
  const notices = new Map<string, string[]>();
  const texts = new Map<string, string>();
  for (const [name, version] of versions) {
    const folder = `${npmCache}/registry.npmjs.org/${name}/${version}`;
    const [file] = [...Deno.readDirSync(folder)]
      .filter(({ name }) => /^LICEN[CS]E/.test(name));
    if (!file) throw new Error(`${name} has no licence`);
    const text = await Deno.readTextFile(`${folder}/${file.name}`);
    const [copyright] = /^Copyright.*/m.exec(text) ?? [];
    if (!copyright) throw new Error(`the licence of ${name} names no author`);
    const terms = text.slice(text.indexOf(copyright) + copyright.length).trim();
    // The key ignores line breaks, which differ between packages.
    const key = terms.replaceAll(/\s+/g, " ");
    texts.set(key, terms);
    notices.set(key, [
      ...notices.get(key) ?? [],
      `${name} ${version}\n  ${copyright}`,
    ]);
  }
  return [...notices].map(([key, packages]) =>
    `${packages.join("\n")}\n\n${texts.get(key)}\n`
  ).join("\n");
}

/** Builds the module and its record. */
async function build(): Promise<[module: string, record: string]> {
  const entry = await Deno.readTextFile("tools/packages.js");
  const lock = JSON.parse(await Deno.readTextFile(LOCK));
  const names = [...entry.matchAll(/from "(.+)"/g)].map(([, name]) => name!);
  const versions = listPackages(names, lock.npm);
  const code = await runDeno(
    ...`bundle --quiet --lock=${LOCK}`.split(" "),
    ..."--platform browser --minify tools/packages.js".split(" "),
  );
  const licences = await readLicences(versions);
  const module =
    `// @ts-nocheck: it is minified.\n/*!\n${licences}*/\n${code.trim()}\n`;
  const bytes = new TextEncoder().encode(module);
  const record = {
    deno: Deno.version.deno,
    packages: Object.fromEntries(versions),
    sha256: new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
      .toHex(),
  };
  return [module, `${JSON.stringify(record, null, 2)}\n`];
}

const files = [MODULE, RECORD];
for (const [i, text] of (await build()).entries()) {
  const path = files[i]!;
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(path, text);
  else if (await Deno.readTextFile(path) !== text) {
    throw new Error(
      `${path} differs from a build with this Deno and these packages`,
    );
  }
}
