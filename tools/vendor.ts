/**
 * Builds the modules in `web/vendor/`. The source of each bundle is the module of the same name
 * in `tools/`, and `tests/deno.lock` pins the npm packages. A `.json` file next to each bundle
 * records the package versions and a checksum. `definitions.js` describes the operations for
 * the page's forms.
 *
 * `--check` writes nothing, and fails if the existing files differ from a new build. Module
 * names after it limit the check.
 *
 * @module
 */

import { describeForForms } from "./definitions.ts";

/** The bundles and their packages. */
const BUNDLES = [
  { name: "packages", packages: await readImports("tools/packages.js") },
  { name: "operations", packages: ["deno-std"] },
  { name: "hash_wasm", packages: ["hash-wasm"] },
  { name: "jsonrepair", packages: ["jsonrepair"] },
];

const LOCK = "tests/deno.lock";

/** The MIT license without its copyright notice. */
const [, MIT] = /(Permission is hereby granted[^]*)/
  .exec(await Deno.readTextFile("LICENSE"))!;

/** Returns the names of the packages that a module imports. */
async function readImports(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  return [...text.matchAll(/from "(.+)"/g)].map(([, name]) => name!);
}

/** Returns the versions of packages and all their dependencies, by name. */
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

function readName(name: string, file: Deno.DirEntry | undefined): string {
  if (!file) throw new Error(`${name} has no license`);
  return file.name;
}

/** Returns the licenses, each preceded by its packages and their copyright notices. */
async function readLicenses(versions: Map<string, string>): Promise<string> {
  const { npmCache } = JSON.parse(await runDeno("info", "--json"));
  const notices = new Map<string, string[]>();
  const texts = new Map<string, string>();
  for (const [name, version] of versions) {
    const folder = `${npmCache}/registry.npmjs.org/${name}/${version}`;
    const [file] = [...Deno.readDirSync(folder)]
      .filter(({ name }) => /^LICEN[CS]E/.test(name));
    // The copy of Deno's standard library states its license only in the modules.
    const text = name === "deno-std"
      ? `Copyright 2018-2026 the Deno authors\n\n${MIT}`
      : await Deno.readTextFile(`${folder}/${readName(name, file)}`);
    const [copyright] = /^Copyright.*/m.exec(text) ?? [];
    if (!copyright) throw new Error(`${name}'s license names no author`);
    const terms = text.slice(text.indexOf(copyright) + copyright.length).trim();
    // Normalizes line breaks, which differ between packages.
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

/** Builds a bundle, and returns its two files by path. */
async function build(
  { name, packages }: typeof BUNDLES[number],
): Promise<Record<string, string>> {
  const lock = JSON.parse(await Deno.readTextFile(LOCK));
  const versions = listPackages(packages, lock.npm);
  const code = await runDeno(
    ...`bundle --quiet --lock=${LOCK}`.split(" "),
    ...`--platform browser --minify tools/${name}.js`.split(" "),
  );
  const licenses = await readLicenses(versions);
  const module =
    `// @ts-nocheck: it is minified.\n/*!\n${licenses}*/\n${code.trim()}\n`;
  const bytes = new TextEncoder().encode(module);
  const record = {
    packages: Object.fromEntries(versions),
    sha256: new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
      .toHex(),
  };
  return {
    [`web/vendor/${name}.js`]: module,
    [`web/vendor/${name}.json`]: `${JSON.stringify(record, null, 2)}\n`,
  };
}

async function buildDefinitions(): Promise<Record<string, string>> {
  return { "web/vendor/definitions.js": await describeForForms() };
}

const [option, ...names] = Deno.args;
const isChosen = (name: string) => names.length === 0 || names.includes(name);
const built = await Promise.all([
  ...BUNDLES.filter(({ name }) => isChosen(name)).map(build),
  ...isChosen("definitions") ? [buildDefinitions()] : [],
]);
for (const [path, text] of built.flatMap(Object.entries<string>)) {
  if (option !== "--check") await Deno.writeTextFile(path, text);
  else if (await Deno.readTextFile(path) !== text) {
    throw new Error(`${path} is not up to date: run deno task vendor`);
  }
}
