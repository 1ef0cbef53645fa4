import { assertEquals } from "@std/assert";
import { isValid, parseOptions, writeOptions } from "../../web/form.js";
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

Deno.test("options that are not valid together are all rejected", () => {
  const tool = TOOLS["password"]!;
  const options =
    "length=9&uppercase=false&lowercase=false&numbers=false&symbols=false";
  const { values, rejected } = parseOptions(tool, options);
  assertEquals(rejected, options.split("&"));
  assertEquals(values, parseOptions(tool, "").values);
  assertEquals(isValid(tool, { ...values, length: "0" }), false);
  assertEquals(isValid(tool, { ...values, uppercase: "false" }), true);
});
