/**
 * Builds the modules of `web/vendor/`. Each bundle is built from the module of the same name
 * in `tools/`, with the npm packages that `tests/deno.lock` pins: `packages.js` is the
 * editor, `hash_wasm.js` the digests of files, `jsonrepair.js` the repair of JSON, and
 * `operations.js` the operations in `routes/`. A `.json` file next to each bundle records the
 * versions of its packages and a checksum. `definitions.js` has what the forms of the page
 * need to know about the operations.
 *
 * With `--check`, nothing is written, and the task fails if a new build differs from the
 * existing files. Names of modules after it limit the check to these modules.
 *
 * @module
 */

import { describeForForms } from "./definitions.ts";

/** The bundles, and the packages in them. */
const BUNDLES = [
  { name: "packages", packages: await readImports("tools/packages.js") },
  { name: "operations", packages: ["deno-std"] },
  { name: "hash_wasm", packages: ["hash-wasm"] },
  { name: "jsonrepair", packages: ["jsonrepair"] },
];

const LOCK = "tests/deno.lock";

/** The terms of the MIT license. */
const [, MIT] = /(Permission is hereby granted[^]*)/
  .exec(await Deno.readTextFile("LICENSE"))!;

/** Returns the names of the packages from which a module imports. */
async function readImports(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  return [...text.matchAll(/from "(.+)"/g)].map(([, name]) => name!);
}

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

function readName(name: string, file: Deno.DirEntry | undefined): string {
  if (!file) throw new Error(`${name} has no license`);
  return file.name;
}

/** Returns the licenses, each after the packages that have it and their authors. */
async function readLicenses(versions: Map<string, string>): Promise<string> {
  const { npmCache } = JSON.parse(await runDeno("info", "--json"));
  const notices = new Map<string, string[]>();
  const texts = new Map<string, string>();
  for (const [name, version] of versions) {
    const folder = `${npmCache}/registry.npmjs.org/${name}/${version}`;
    const [file] = [...Deno.readDirSync(folder)]
      .filter(({ name }) => /^LICEN[CS]E/.test(name));
    // The copy of Deno's standard library has no file, but names the license in each
    // module.
    const text = name === "deno-std"
      ? `Copyright 2018-2026 the Deno authors\n\n${MIT}`
      : await Deno.readTextFile(`${folder}/${readName(name, file)}`);
    const [copyright] = /^Copyright.*/m.exec(text) ?? [];
    if (!copyright) throw new Error(`the license of ${name} names no author`);
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

/** Builds a bundle. Returns its files by their paths: the module and its record. */
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

/** Builds the module of definitions. */
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
