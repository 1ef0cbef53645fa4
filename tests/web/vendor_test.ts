import { assert, assertEquals, assertMatch } from "@std/assert";
import { describeForForms } from "../../tools/definitions.ts";

const LOCK = new URL("../deno.lock", import.meta.url);
const FOLDER = new URL("../../web/vendor/", import.meta.url);

/** The vendored modules, each with the least number of packages in it. */
const MODULES = { packages: 14, operations: 1, hash_wasm: 1, jsonrepair: 1 };

for (const [name, least] of Object.entries(MODULES)) {
  Deno.test(`the vendored ${name}.js is the one that was built, of the pinned versions, with licences`, async () => {
    const bytes = await Deno.readFile(new URL(`${name}.js`, FOLDER));
    const record = JSON.parse(
      await Deno.readTextFile(new URL(`${name}.json`, FOLDER)),
    );
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    assertEquals(new Uint8Array(digest).toHex(), record.sha256);
    const text = new TextDecoder().decode(bytes);
    const { npm } = JSON.parse(await Deno.readTextFile(LOCK));
    const entries = Object.entries(record.packages);
    assert(entries.length >= least);
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

Deno.test("the definitions for the forms are those of the operations", async () => {
  const path = new URL("definitions.js", FOLDER);
  assertEquals(await Deno.readTextFile(path), await describeForForms());
});

Deno.test("the operations for the page need neither Node nor another module", async () => {
  const url = new URL("operations.js", FOLDER);
  const [, code = ""] = (await Deno.readTextFile(url)).split("\n*/\n");
  assert(code.length > 20_000);
  assert(!/\bnode:|\bimport\b|\brequire\(|\bDeno\b/.test(code));
});
