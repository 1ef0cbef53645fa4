import { assertEquals } from "@std/assert";
import { formatOptions, parseOptions } from "../../web/form.js";
import { TOOLS } from "../../web/tools.js";

Deno.test("parseOptions() accepts valid options, and formatOptions() omits defaults", async (t) => {
  /** The tool, the options, and the kept and the rejected ones. */
  const rows: [string, string, string, string][] = [
    ["base64", "nonsense&url", "url", "nonsense"],
    ["base64", "action=decode", "decode", ""],
    ["hash", "algorithm=md5", "", "algorithm=md5"],
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
    ["uuid", "count=", "", "count"],
  ];
  for (const [name, options, kept, expected] of rows) {
    await t.step(`${name} ${options}`, () => {
      const tool = TOOLS[name]!;
      const { values, rejected } = parseOptions(tool, options);
      assertEquals(rejected.join(), expected);
      assertEquals(formatOptions(tool, values), kept);
    });
  }
});
