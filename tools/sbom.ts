/**
 * Prints the bill of materials of a binary (CycloneDX 1.6): Deno, the packages of
 * `deno.lock`, and the packages of the page's editor.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the bill of materials is the output

import config from "../deno.json" with { type: "json" };

/** A component in the format of CycloneDX. */
interface Component {
  readonly type: "application" | "library" | "platform";
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly {
    readonly alg: string;
    readonly content: string;
  }[];
}

/** Describes an npm package by its name and version, such as `@a/b@1.0.0`. */
function describePackage(id: string, integrity?: string): Component {
  const at = id.lastIndexOf("@");
  const name = id.slice(0, at);
  const version = id.slice(at + 1);
  const hash = /^sha512-(.+)$/.exec(integrity ?? "")?.[1];
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...hash && {
      hashes: [{
        alg: "SHA-512",
        content: Uint8Array.fromBase64(hash).toHex(),
      }],
    },
  };
}

/** Reads the packages that the page contains; none if they are not vendored. */
function readVendored(): Component[] {
  try {
    const record = Deno.readTextFileSync("web/vendor/packages.json");
    const { packages } = JSON.parse(record);
    // The editor is built from packages that the lock file of development names.
    const integrities = new Map(readLock("tests/deno.lock"));
    return Object.entries(packages).map(([name, version]) => {
      const id = `${name}@${version}`;
      return describePackage(id, integrities.get(id));
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Reads the packages of a lock file, each with its hash. */
function readLock(path: string): (readonly [id: string, hash: string])[] {
  const lock: {
    readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
  } = JSON.parse(Deno.readTextFileSync(path));
  // After `_`, the lock file names peer dependencies.
  return Object.entries(lock.npm)
    .map(([id, { integrity }]) => [id.split("_")[0]!, integrity] as const);
}

/** Reads the packages that the service imports at run time. */
function readImported(): Component[] {
  return readLock("deno.lock").map(([id, hash]) => describePackage(id, hash));
}

const { deno } = Deno.version;
const service: Component = {
  type: "application",
  name: "devutils",
  version: config.version,
};
const runtime: Component = {
  type: "platform",
  name: "deno",
  version: deno,
  purl: `pkg:github/denoland/deno@v${deno}`,
};
console.log(JSON.stringify(
  {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: service },
    components: [runtime, ...readImported(), ...readVendored()],
  },
  null,
  2,
));
