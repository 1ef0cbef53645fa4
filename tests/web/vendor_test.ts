import { assert, assertEquals, assertMatch } from "@std/assert";

const LOCK = new URL("../deno.lock", import.meta.url);
const FOLDER = new URL("../../web/vendor/", import.meta.url);

/** The vendored modules, each with the minimum number of its packages. */
const MODULES = { packages: 14, operations: 1, hash_wasm: 1, jsonrepair: 1 };

for (const [name, minimum] of Object.entries(MODULES)) {
  Deno.test(`the vendored ${name}.js was built from the pinned versions and has their licenses`, async () => {
    const bytes = await Deno.readFile(new URL(`${name}.js`, FOLDER));
    const record = JSON.parse(
      await Deno.readTextFile(new URL(`${name}.json`, FOLDER)),
    );
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    assertEquals(new Uint8Array(digest).toHex(), record.sha256);
    const text = new TextDecoder().decode(bytes);
    const { npm } = JSON.parse(await Deno.readTextFile(LOCK));
    const entries = Object.entries(record.packages);
    assert(entries.length >= minimum);
    for (const [name, version] of entries) {
      assert(
        npm[`${name}@${version}`],
        `${name} ${version} is not in the lock`,
      );
      assert(text.includes(`\n${name} ${version}\n  Copyright `), name);
    }
    assertMatch(text, /THE SOFTWARE IS PROVIDED/);
  });
}

Deno.test("the operations of the page don't use Node, Deno, or other modules", async () => {
  const url = new URL("operations.js", FOLDER);
  const [, code = ""] = (await Deno.readTextFile(url)).split("\n*/\n");
  assert(code.length > 20_000);
  assert(!/\bnode:|\bimport\b|\brequire\(|\bDeno\b/.test(code));
});
