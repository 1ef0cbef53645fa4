import { assertEquals } from "@std/assert";
import { findMutants } from "../tools/_mutants.ts";

function change(text: string): string[] {
  return findMutants("module.ts", text).map(({ start, end, replacement }) =>
    text.slice(0, start) + replacement + text.slice(end)
  );
}

Deno.test("findMutants() changes what runs, a fault at a time", async (t) => {
  const rows: readonly [text: string, changed: readonly string[]][] = [
    ["a <= b;", [";", "a < b;", "a > b;"]],
    ["a && b;", [";", "a;", "b;"]],
    ["if (a) b;", ["if (true) b;", "if (false) b;", "if (a) ;"]],
    ["!a;", [";", "a;"]],
    ["const a = 0;", ["const a = 1;"]],
    ["const a = 16;", ["const a = 17;", "const a = 15;"]],
    ["const a = 4096;", ["const a = 40960;", "const a = 409;"]],
    ["const a = 0xd800;", ["const a = 55297;", "const a = 55295;"]],
    ['const a = "b";', ['const a = "";']],
    ['const a = "";', ['const a = "mutant";']],
    ["const a = `${b}`;", ['const a = "";']],
    ["const a = { b, c };", [
      "const a = { ...{}, c };",
      "const a = { b, ...{} };",
    ]],
    ["const a = /^[b]+$/g;", [
      "const a = /^[b]+$/;",
      "const a = /[b]+$/g;",
      "const a = /^[b]+/g;",
      "const a = /^[^b]+$/g;",
      "const a = /^[b]$/g;",
    ]],
    ["const a = b?.c;", ["const a = b.c;"]],
    ["const a = b.slice(c);", ["const a = b;"]],
    ["const a = b.min(c);", ["const a = b.max(c);"]],
    ["const a = b.toString();", []],
    ["const a = () => b;", ["const a = () => undefined;"]],
    ["for (;;) break;", ["for (;;) ;"]],
    ["while (a) b();", ["while (false) b();", "while (a) ;"]],
    ["function a() { return b; }", ["function a() { return; }"]],
    ["function a() { return undefined; }", []],
    ['import a from "b";', []],
    ['export type { A } from "b";', []],
    ['type A = "b" | 1;', []],
    ["interface A { b: 1 }", []],
  ];
  for (const [text, changed] of rows) {
    await t.step(text, () => {
      assertEquals(change(text).toSorted(), changed.toSorted());
    });
  }
});

Deno.test("findMutants() names mutants by their line, whatever its number", () => {
  const text = "// First.\n  a(1, 1, 2);\n";
  const mutants = findMutants("module.ts", text)
    .map(({ line, lineText, change }) => ({ line, lineText, change }));
  assertEquals(
    mutants.map(({ change }) => change).toSorted(),
    [
      "1 → 0",
      "1 → 0 (2)",
      "1 → 2",
      "1 → 2 (2)",
      "2 → 1",
      "2 → 3",
      "a(1, 1, 2); → ;",
    ],
  );
  for (const { line, lineText } of mutants) {
    assertEquals({ line, lineText }, { line: 2, lineText: "a(1, 1, 2);" });
  }
});
