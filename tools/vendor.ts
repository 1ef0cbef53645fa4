/**
 * Builds `web/vendor/codemirror.js` from `tools/codemirror.js` and the npm
 * packages that `tests/deno.lock` pins. `web/vendor/codemirror.json` records the
 * versions of packages and Deno, and a checksum. With `--check` it writes nothing,
 * and fails if a new build differs from the existing files.
 *
 * @module
 */

const MODULE = "web/vendor/codemirror.js";
const RECORD = "web/vendor/codemirror.json";
const LOCK = "tests/deno.lock";

/** The start of the permission in the MIT License, the same in every package. */
const PERMISSION = "Permission is hereby granted, free of charge";

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

/** Returns the copyright lines of the packages, and their common licence. */
async function readLicences(versions: Map<string, string>): Promise<string> {
  const { npmCache } = JSON.parse(await runDeno("info", "--json"));
  const notices: string[] = [];
  // The keys ignore line breaks, which differ between packages.
  const permissions = new Map<string, string>();
  for (const [name, version] of versions) {
    const folder = `${npmCache}/registry.npmjs.org/${name}/${version}`;
    const text = await Deno.readTextFile(`${folder}/LICENSE`);
    const start = text.indexOf(PERMISSION);
    if (start === -1) throw new Error(`${name} is not under the MIT License`);
    const permission = text.slice(start).trim();
    permissions.set(permission.replaceAll(/\s+/g, " "), permission);
    const [copyright] = /^Copyright.*/m.exec(text)!;
    notices.push(`${name} ${version}\n  ${copyright}`);
  }
  const [permission, other] = permissions.values();
  if (other) throw new Error("the licences differ");
  return `${notices.join("\n")}\n\nMIT License\n\n${permission}\n`;
}

/** Builds the module and its record. */
async function build(): Promise<[module: string, record: string]> {
  const entry = await Deno.readTextFile("tools/codemirror.js");
  const lock = JSON.parse(await Deno.readTextFile(LOCK));
  const names = [...entry.matchAll(/from "(.+)"/g)].map(([, name]) => name!);
  const versions = listPackages(names, lock.npm);
  const code = await runDeno(
    ...`bundle --quiet --lock=${LOCK} --frozen`.split(" "),
    ..."--platform browser --minify tools/codemirror.js".split(" "),
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
