import { assertEquals } from "@std/assert";
import {
  assertRefused,
  checkAnswer,
  createTestHandler,
  post,
} from "./_client.ts";

const PATH = "/api/json";

Deno.test("POST /api/json formats with the chosen indent", async (t) => {
  const input = '{"a":[1.0,{}],"b":null}';
  const two = '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": null\n}';
  const four = two.replaceAll("  ", "    ");
  for (const [indent, result] of [[undefined, two], [2, two], [4, four]]) {
    await t.step(`indent ${indent}`, async () => {
      const { body } = await post(PATH, { action: "format", input, indent });
      assertEquals(body, { result, valid: true });
    });
  }
});

Deno.test("POST /api/json minifies without losing anything", async () => {
  const input = ' { "b" : 1.0 , "a" : 1e400 , "b" : "\\u00e9 \ud800" } ';
  const { body } = await post(PATH, { action: "minify", input });
  assertEquals(body, {
    result: '{"b":1.0,"a":1e400,"b":"\\u00e9 \ud800"}',
    valid: true,
  });
});

Deno.test("POST /api/json validates with 200 either way", async () => {
  const valid = await post(PATH, { action: "validate", input: "[1]" });
  assertEquals({ status: valid.status, body: valid.body }, {
    status: 200,
    body: { result: "valid JSON", valid: true },
  });
  const invalid = await post(PATH, { action: "validate", input: "[1,\n]" });
  assertEquals({ status: invalid.status, body: invalid.body }, {
    status: 200,
    body: {
      result: 'expected a JSON value, got "]" at line 2, column 1',
      valid: false,
    },
  });
});

Deno.test("POST /api/json rejects to format or minify invalid JSON", async () => {
  for (const action of ["format", "minify"]) {
    assertRefused(
      await post(PATH, { action, input: "{'a': 1}" }),
      400,
      '"input" must be JSON: expected a name in double quotes, got "\'" at line 1, column 2',
    );
  }
});

Deno.test("POST /api/json rejects wrong fields", async (t) => {
  const action = '"action" must be "format", "minify" or "validate", got ';
  const indent = '"indent" must be 2 or 4, got ';
  const input = '"input" must be a string, got ';
  const rows = [
    ["no action", { input: "1" }, `${action}nothing`],
    ["no input", { action: "format" }, `${input}nothing`],
    [
      "an object instead of its text",
      { action: "format", input: { a: 1 } },
      `${input}an object`,
    ],
    ["indent 3", { action: "format", input: "1", indent: 3 }, `${indent}3`],
    [
      "indent as text",
      { action: "format", input: "1", indent: "2" },
      `${indent}"2"`,
    ],
    [
      "a wrong indent for minify",
      { action: "minify", input: "1", indent: 8 },
      `${indent}8`,
    ],
    ["a wrong indent for validate", {
      action: "validate",
      input: "1",
      indent: 2.5,
    }, `${indent}2.5`],
  ] as const;
  for (const [name, fields, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await post(PATH, fields), 400, error);
    });
  }
});

Deno.test("POST /api/json minifies at any depth", async () => {
  const input = nest(20_000, "");
  const { body } = await post(PATH, { action: "minify", input });
  assertEquals(body, { result: input, valid: true });
});

Deno.test("POST /api/json formats to at most 8 MiB", async () => {
  // Most of the result is indentation; a string makes it exactly as long.
  const depth = 2_000;
  const empty = JSON.stringify(JSON.parse(nest(depth, '""')), null, 2);
  const filling = "x".repeat(8_388_608 - empty.length);
  const input = nest(depth, `"${filling}"`);
  const { body } = await post(PATH, { action: "format", input });
  assertEquals((body!["result"] as string).length, 8_388_608);
  const longer = nest(depth, `"${filling}x"`);
  assertRefused(
    await post(PATH, { action: "format", input: longer }),
    400,
    '"input" is nested too deep: the result would exceed 8388608 bytes',
  );
});

function nest(depth: number, text: string): string {
  return "[".repeat(depth) + text + "]".repeat(depth);
}

Deno.test("POST /api/json reports the end of 100,000 open arrays", async () => {
  const input = "[".repeat(100_000);
  for (const action of ["format", "minify"]) {
    assertRefused(
      await post(PATH, { action, input }),
      400,
      '"input" must be JSON: expected a JSON value, got the end of the text at line 1, column 100001',
    );
  }
});

Deno.test("POST /api/json does not mix responses that are read later", async (t) => {
  const handler = createTestHandler();
  for (const length of [10, 300_000]) {
    await t.step(`${length} characters`, async () => {
      const inputs = ["a", "b"].map((letter) => `"${letter.repeat(length)}"`);
      const answers: Response[] = [];
      for (const input of inputs) {
        const body = JSON.stringify({ action: "format", input });
        const init = { method: "POST", body };
        const request = new Request(`http://localhost${PATH}`, init);
        answers.push(await handler(request));
      }
      for (const [i, answer] of answers.entries()) {
        const { body } = await checkAnswer(answer);
        assertEquals(body, { result: inputs[i], valid: true });
      }
    });
  }
});
