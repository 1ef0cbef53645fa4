import { assertEquals } from "@std/assert";
import { parseOptions, writeOptions } from "../../web/form.js";
import { TOOLS } from "../../web/tools.js";

Deno.test("parseOptions() reads options, and writeOptions() those that differ", async (t) => {
  const rows: [
    tool: string,
    options: string,
    kept: string,
    rejected: string,
  ][] = [
    ["base64", "decode", "decode", ""],
    ["base64", "nonsense&url", "url", "nonsense"],
    ["base64", "action=decode", "decode", ""],
    ["hash", "algorithm=md5", "", "algorithm=md5"],
    ["uuid", "count=5", "count=5", ""],
    ["uuid", "count=500", "", "count=500"],
    ["uuid", "count=05x", "", "count=05x"],
    [
      "password",
      "length=24&symbols=false",
      "length=24&symbols=false",
      "",
    ],
    ["password", "symbols=maybe", "", "symbols=maybe"],
    ["password", "constructor=true", "", "constructor=true"],
    ["json", "indent=4", "indent=4", ""],
    ["json", "Minify&Nonsense=ABC", "minify", "Nonsense=ABC"],
    ["password", "LENGTH=24&Symbols=False", "length=24&symbols=false", ""],
    ["uuid", "count=", "", "count"],
  ];
  for (const [name, options, kept, expected] of rows) {
    await t.step(`${name} ${options}`, () => {
      const tool = TOOLS[name]!;
      const { values, rejected } = parseOptions(tool, options);
      assertEquals(rejected.join(), expected);
      assertEquals(writeOptions(tool, values), kept);
    });
  }
});

Deno.test("writeOptions() leaves out what is invalid, and what is not an option", () => {
  const tool = TOOLS["password"]!;
  const { values } = parseOptions(tool, "length=24");
  assertEquals(writeOptions(tool, { ...values, length: "0" }), "");
  assertEquals(writeOptions(tool, { ...values, input: "secret" }), "length=24");
});
