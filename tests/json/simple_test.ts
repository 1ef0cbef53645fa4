import { assertEquals } from "@std/assert";
import { decodeSimpleJson } from "../../lib/json/simple.ts";

const long = "a".repeat(40_000);

/** Names of texts, the texts, and whether they are simple. */
const TEXTS: readonly [name: string, text: string, isSimple: boolean][] = [
  ["a long string", `{"input":"${long}"}`, true],
  ["escapes", String.raw`{"input":"${long}\"\\","b":"\\\"${long}"}`, true],
  ["characters beyond ASCII", `{"input":"${long}é😀\ufffd"}`, true],
  ["an open string", `{"input":"${long}`, true],
  ["no string", `${" ".repeat(1_000)}1`, true],
  ["brackets in a string", `{"input":"${"[{".repeat(20_000)}"}`, true],
  ["32 strings", `[${Array(32).fill(`"${long}"`)}]`, true],
  ["33 strings", `[${Array(33).fill(`"${long}"`)}]`, false],
  ["many strings", `[${Array(10_000).fill('"16384"')}]`, false],
  ["strings behind a long one", `["${long}",${Array(99).fill('"1"')}]`, false],
  ["1,024 escaped quotes", `"${long}${'\\"'.repeat(1_024)}"`, true],
  ["1,025 escaped quotes", `"${long}${'\\"'.repeat(1_025)}"`, false],
  ["many backslashes", `"${long}${"\\".repeat(30_000)}"`, false],
  ["brackets", "[".repeat(40_000), false],
  ["numbers behind a string", `["${long}",${Array(999).fill(1)}]`, false],
];

Deno.test("decodeSimpleJson() decodes texts with few strings and little else", async (t) => {
  for (const [name, text, isSimple] of TEXTS) {
    await t.step(name, () => {
      const decoded = decodeSimpleJson(new TextEncoder().encode(text));
      assertEquals(decoded === text, isSimple);
      assertEquals(decoded === undefined, !isSimple);
    });
  }
  const invalid = Uint8Array.of(0x22, 0xff, 0x22);
  assertEquals(decodeSimpleJson(invalid), undefined);
});
