import { assertEquals } from "@std/assert";
import { CHECKS } from "../../bench/deno.ts";

Deno.test("docs/deno.md names each check of deno task bench deno, and no other", async () => {
  const page = await Deno.readTextFile("docs/deno.md");
  const [first = ""] = page.split("These behaviors have no check");
  const names = [...first.matchAll(/^\| ([^|]+?) +\|/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "Name" && !name!.startsWith("-"));
  assertEquals(names, Object.keys(CHECKS));
});
