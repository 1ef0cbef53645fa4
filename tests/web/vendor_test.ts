import { assert, assertEquals } from "@std/assert";
import record from "../../web/vendor/packages.json" with { type: "json" };

const LOCK = new URL("../deno.lock", import.meta.url);
const MODULE = new URL("../../web/vendor/packages.js", import.meta.url);

Deno.test("the vendored module is the one that was built, of the pinned versions, with licences", async () => {
  const bytes = await Deno.readFile(MODULE);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  assertEquals(new Uint8Array(digest).toHex(), record.sha256);
  const text = await Deno.readTextFile(MODULE);
  const { npm } = JSON.parse(await Deno.readTextFile(LOCK));
  const entries = Object.entries(record.packages);
  assert(entries.length >= 15);
  for (const [name, version] of entries) {
    assert(npm[`${name}@${version}`], `${name} ${version} is not in the lock`);
    assert(text.includes(`\n${name} ${version}\n  Copyright (`), name);
  }
  assert(text.includes("THE SOFTWARE IS PROVIDED"));
});
