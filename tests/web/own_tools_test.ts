import { assertEquals } from "@std/assert";
import { createTool, TOOLS } from "../../web/tools.js";
import { loadOperations } from "../../routes/operations.ts";

Deno.test("every operation has a tool with all its parameters, and the first input is the text", async () => {
  const operations = await loadOperations();
  assertEquals(Object.keys(TOOLS), operations.map(({ name }) => name));
  for (const { name, parameters } of operations) {
    const { input, ...others } = parameters;
    const tool = TOOLS[name]!;
    assertEquals(Object.keys(tool.fields), Object.keys(others), name);
    assertEquals(tool.hasInput, input !== undefined, name);
  }
});

Deno.test("an operation that the page does not know gets labels, bounds and defaults from its definition", () => {
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
      stepWidth: {
        type: "integer",
        minimum: 1,
        maximum: 25,
        default: 13,
        isRequired: false,
      },
      maxLength: {
        type: "integer",
        minimum: 5,
        maximum: 50,
        isRequired: false,
      },
      minLength: { type: "integer", minimum: 5, maximum: 50, isRequired: true },
      keepCase: { type: "boolean", isRequired: false },
      prefix: { type: "string", isRequired: false },
    },
    inputs: { forth: "abc" },
  });
  assertEquals([tool.title, tool.about, tool.view], [
    "Caesar cipher",
    "Shift letters",
    "text",
  ]);
  const { fields } = tool;
  assertEquals(fields["direction"], {
    type: "string",
    label: "Direction",
    value: "forth",
    isOptional: false,
    choices: { forth: "Forth", backAgain: "Back again" },
  });
  assertEquals(fields["stepWidth"], {
    type: "integer",
    label: "Step width",
    value: "13",
    isOptional: false,
    range: [1, 25],
  });
  const seen = Object.entries(fields).slice(2).map((
    [name, field],
  ) => [name, field.value, field.isOptional]);
  assertEquals(seen, [
    ["maxLength", "", true],
    ["minLength", "5", false],
    ["keepCase", "false", false],
    ["prefix", "", true],
  ]);
});
