/**
 * Prints the list of components of a release (SBOM) as CycloneDX 1.6 in JSON: this Deno,
 * whose runtime is in the binaries, the packages that the program imports, and those of
 * the page. Argument: the day of the release, such as `2026-11-22`.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };
import { print } from "../print.ts";

/** The packages of a lock file, by names such as `deno-std@1.4.0`. */
type Packages = Readonly<Record<string, { readonly integrity: string }>>;

async function readJson(path: string) {
  return JSON.parse(await Deno.readTextFile(path));
}

/** Lists the packages that `deno task vendor` has put into the page, with their versions. */
async function listVendored(): Promise<string[]> {
  const lists = Array.from(Deno.readDirSync("web/vendor"))
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => readJson(`web/vendor/${name}`));
  return (await Promise.all(lists)).flatMap(({ packages }) =>
    Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  );
}

/** Describes a package from JSR, whose lock has no checksum of an archive. */
function describeFromJsr(id: string) {
  const [, name, version] = /^(.+)@(.+)$/.exec(id)!;
  return { type: "library", "bom-ref": `jsr:${id}`, name, version };
}

/** Describes a package from npm, with the checksum that a lock file has of its archive. */
function describe(id: string, packages: Packages) {
  const [, name, version] = /^(.+)@(.+)$/.exec(id)!;
  const [, base64] = /^sha512-(.+)$/.exec(packages[id]?.integrity ?? "") ?? [];
  if (base64 === undefined) throw new Error(`no lock has a checksum of ${id}`);
  const purl = `pkg:npm/${name!.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    hashes: [{
      alg: "SHA-512",
      content: Uint8Array.fromBase64(base64).toHex(),
    }],
    purl,
  };
}

/** Returns a UUID of version 8 (RFC 9562, section 5.8) that is the same for the same text. */
async function deriveUuid(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex().replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    "$1-$2-8$3-8$4-$5",
  );
}

/** Creates the list for a release of a day. */
export async function createSbom(day: string) {
  const { npm: imported = {}, jsr = {} } = await readJson("deno.lock");
  const { npm: others } = await readJson("tests/deno.lock");
  const ids = new Set([...Object.keys(imported), ...await listVendored()]);
  const deno = `pkg:github/denoland/deno@v${Deno.version.deno}`;
  const contents = {
    metadata: {
      timestamp: `${day}T00:00:00Z`,
      component: {
        type: "application",
        "bom-ref": "devutils",
        name: "devutils",
        version: config.version,
        licenses: [{ license: { id: config.license } }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": deno,
        name: "deno",
        version: Deno.version.deno,
        purl: deno,
      },
      ...[...ids].sort().map((id) => describe(id, { ...others, ...imported })),
      ...Object.keys(jsr).sort().map(describeFromJsr),
    ],
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${await deriveUuid(JSON.stringify(contents))}`,
    version: 1,
    ...contents,
  };
}

if (import.meta.main) {
  print(JSON.stringify(await createSbom(Deno.args[0]!), null, 2));
}
