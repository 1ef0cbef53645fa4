import { assertEquals } from "@std/assert";
import { formatOptions, parseOptions } from "../../web/form.js";
import { createTool, TOOLS } from "../../web/tools.js";
import { loadOperations } from "../../routes/operations.ts";

Deno.test("every operation has a tool with a field for each parameter", async () => {
  const operations = await loadOperations();
  assertEquals(Object.keys(TOOLS), operations.map(({ name }) => name));
  for (const { name, parameters } of operations) {
    const { input, ...fields } = parameters;
    const tool = TOOLS[name]!;
    assertEquals(Object.keys(tool.fields), Object.keys(fields), name);
    assertEquals(tool.hasInput, input !== undefined, name);
  }
});

Deno.test("an operation without own labels gets labels, bounds and defaults from its definition", () => {
  const range = { type: "integer", minimum: 5, maximum: 50 };
  const tool = createTool("caesarCipher", {
    method: "POST",
    summary: "Shift letters",
    parameters: {
      input: { type: "string", isRequired: true },
      direction: {
        type: "string",
        enum: ["forth", "backAgain"],
        isRequired: true,
      },
      stepWidth: { ...range, default: 13, isRequired: false },
      maxLength: { ...range, isRequired: false },
      minLength: { ...range, isRequired: true },
      keepCase: { type: "boolean", isRequired: false },
      prefix: { type: "string", isRequired: false },
    },
    inputs: { forth: "abc" },
  });
  const { title, about, view, fields } = tool;
  assertEquals([title, about, view], [
    "Caesar cipher",
    "Shift letters",
    "text",
  ]);
  assertEquals(fields["direction"], {
    type: "string",
    label: "Direction",
    value: "forth",
    isOptional: false,
    choices: { forth: "Forth", backAgain: "Back again" },
  });
  assertEquals(fields["stepWidth"]?.range, [5, 50]);
  const defaults = Object.entries(fields).map((
    [name, { value, isOptional }],
  ) => [name, value, isOptional]);
  assertEquals(defaults.slice(1), [
    ["stepWidth", "13", false],
    ["maxLength", "", true],
    ["minLength", "5", false],
    ["keepCase", "false", false],
    ["prefix", "", true],
  ]);
  const shift = createTool("shift", {
    method: "GET",
    summary: "Shift",
    parameters: {
      by: { type: "integer", minimum: -5, maximum: 5, isRequired: true },
    },
    inputs: {},
  });
  assertEquals(formatOptions(shift, { by: "-3" }), "by=-3");
  assertEquals(parseOptions(shift, "by=-3").values, { by: "-3" });
  // Text stays out of the URL.
  assertEquals(formatOptions(tool, { prefix: "secret" }), "");
  assertEquals(parseOptions(tool, "prefix=a").rejected, ["prefix=a"]);
});
