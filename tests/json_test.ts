import { assertEquals } from "@std/assert";
import { Memory, type Transfer } from "../lib/http/memory.ts";
import { Turns } from "../lib/http/turns.ts";
import { json } from "../routes/json.ts";
import {
  assertRefused,
  checkAnswer,
  createTestHandler,
  post,
} from "./_client.ts";

const PATH = "/api/json";

Deno.test("POST /api/json formats with the chosen indent", async (t) => {
  const input = '{"a":[1.0,{}],"b":null}';
  const rows = [
    [
      "two by default",
      undefined,
      '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": null\n}',
    ],
    ["two", 2, '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": null\n}'],
    [
      "four",
      4,
      '{\n    "a": [\n        1.0,\n        {}\n    ],\n    "b": null\n}',
    ],
  ] as const;
  for (const [name, indent, result] of rows) {
    await t.step(name, async () => {
      const { status, body } = await post(PATH, {
        action: "format",
        input,
        indent,
      });
      assertEquals({ status, body }, {
        status: 200,
        body: { result, valid: true },
      });
    });
  }
});

Deno.test("POST /api/json minifies without losing anything", async () => {
  const input = ' { "b" : 1.0 , "a" : 1e400 , "b" : "\\u00e9 \ud800" } ';
  const { status, body } = await post(PATH, { action: "minify", input });
  assertEquals({ status, body }, {
    status: 200,
    body: { result: '{"b":1.0,"a":1e400,"b":"\\u00e9 \ud800"}', valid: true },
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

Deno.test("POST /api/json refuses to format or minify what is no JSON", async () => {
  for (const action of ["format", "minify"]) {
    assertRefused(
      await post(PATH, { action, input: "{'a': 1}" }),
      400,
      '"input" must be JSON: expected a name in double quotes, got "\'" at line 1, column 2',
    );
  }
});

Deno.test("POST /api/json refuses wrong fields", async (t) => {
  const action = '"action" must be "format", "minify" or "validate", got ';
  const indent = '"indent" must be 2 or 4, got ';
  const input = '"input" must be a string, got ';
  const rows = [
    ["no action", { input: "1" }, `${action}nothing`],
    ["another action", { action: "pretty", input: "1" }, `${action}"pretty"`],
    ["no input", { action: "format" }, `${input}nothing`],
    [
      "JSON that is no string",
      { action: "format", input: { a: 1 } },
      `${input}an object`,
    ],
    ["indent 3", { action: "format", input: "1", indent: 3 }, `${indent}3`],
    ["indent 0", { action: "format", input: "1", indent: 0 }, `${indent}0`],
    [
      "indent as text",
      { action: "format", input: "1", indent: "2" },
      `${indent}"2"`,
    ],
    [
      "indent null",
      { action: "format", input: "1", indent: null },
      `${indent}null`,
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

Deno.test("POST /api/json refuses a result above 8 MiB", async () => {
  const input = "[".repeat(20_000) + "]".repeat(20_000);
  assertRefused(
    await post(PATH, { action: "format", input }),
    400,
    '"input" is nested too deep: the result would exceed 8388608 bytes',
  );
  const { body } = await post(PATH, { action: "minify", input });
  assertEquals(body, { result: input, valid: true });
});

Deno.test("POST /api/json formats to exactly 8 MiB", async () => {
  // Indentation takes most of it, the string in the middle fills up the rest.
  const depth = 2_000;
  const empty = JSON.stringify(JSON.parse(nest(depth, '""')), null, 2);
  const filling = "x".repeat(8_388_608 - empty.length);
  const input = nest(depth, `"${filling}"`);
  const { body } = await post(PATH, { action: "format", input });
  assertEquals((body!["result"] as string).length, 8_388_608);
  const longer = nest(depth, `"${filling}x"`);
  const { status } = await post(PATH, { action: "format", input: longer });
  assertEquals(status, 400);
});

function nest(depth: number, text: string): string {
  return "[".repeat(depth) + text + "]".repeat(depth);
}

Deno.test("POST /api/json finds the end of 100,000 open arrays", async () => {
  const input = "[".repeat(100_000);
  for (const action of ["format", "minify"]) {
    assertRefused(
      await post(PATH, { action, input }),
      400,
      '"input" must be JSON: expected a JSON value, got the end of the text at line 1, column 100001',
    );
  }
});

Deno.test("POST /api/json keeps an answer apart from those made before it is read", async (t) => {
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

Deno.test("POST /api/json counts two bytes a code unit of a text from which a large answer is made", async () => {
  class RecordingMemory extends Memory {
    bytes = 0;

    override hold(transfer: Transfer, bytes: number): boolean {
      this.bytes = bytes;
      return super.hold(transfer, bytes);
    }
  }
  /** What an answer holds that is made as it is taken. */
  async function measure(depth: number): Promise<number> {
    const memory = new RecordingMemory(Infinity);
    const input = "[".repeat(depth) + "]".repeat(depth);
    const request = new Request("http://localhost/api/json", {
      method: "POST",
      body: JSON.stringify({ action: "format", input, indent: 4 }),
    });
    const { body } = await json(request, {
      path: "/api/json",
      query: "",
      readBody: async (request, parse) => parse(await request.bytes()),
      memory,
      turns: new Turns(),
      maxBodyBytes: 1_000_000,
      isStopping: () => false,
    });
    await body?.cancel();
    return memory.bytes;
  }
  const difference = await measure(1_000) - await measure(900);
  assertEquals(difference, 2 * 200);
});
