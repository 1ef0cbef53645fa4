/** Commands of a made-up description: what a new operation gets without code for the terminal. */

import { assert, assertEquals } from "@std/assert";
import type { Handler, Route } from "../../lib/http/router.ts";
import { HttpError } from "../../lib/http_error.ts";
import { runCommand } from "../../lib/terminal/mod.ts";
import description from "../../routes/openapi.json" with { type: "json" };

const answer = { content: { "application/json": { schema: {} } } };

/** Two operations; neither has texts for the terminal. */
const DESCRIPTION = {
  info: {},
  components: {},
  paths: {
    "/api/draw": {
      get: {
        operationId: "draw",
        tags: ["operations"],
        summary: "Draw",
        parameters: [
          {
            name: "maxLength",
            schema: { type: "integer", minimum: 1, maximum: 9 },
            example: 2,
          },
          {
            name: "isLoud",
            schema: { type: "boolean", default: false },
            example: true,
          },
        ],
        responses: { "200": answer },
      },
    },
    "/api/write": {
      post: {
        operationId: "write",
        tags: ["operations"],
        summary: "Write",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                required: ["mode", "input"],
                properties: {
                  mode: { type: "string", enum: ["up", "down"] },
                  input: { type: "string" },
                  penName: { type: "string" },
                  width: { type: "integer" },
                },
              },
              examples: {
                one: { value: { mode: "up", input: "it's", penName: "q" } },
              },
            },
          },
        },
        responses: { "200": answer },
      },
    },
  },
};

/** Answers with what it was given. */
const echo: Handler = (_request, { query, fields, path }) => {
  if (fields?.["input"] === "") {
    throw new HttpError(400, '"input" must not be empty');
  }
  if (fields?.["penName"] === "x") {
    throw new HttpError(400, '"penName" must not be x, got "penName"');
  }
  return Response.json({
    result: JSON.stringify({ path, query, fields }),
    more: 1,
  });
};

const ROUTES: Route[] = [
  {
    method: "GET",
    pattern: new URLPattern({ pathname: "/api/draw" }),
    handler: echo,
  },
  {
    method: "POST",
    pattern: new URLPattern({ pathname: "/api/write" }),
    handler: echo,
  },
];

/** Runs a command in process. Returns its status, output and lines on standard error. */
async function runInProcess(
  line: string,
  input: AsyncIterable<Uint8Array<ArrayBuffer>> = new Blob(["é\n"]).stream(),
  operations: Pick<Parameters<typeof runCommand>[1], "description"> = {
    description: DESCRIPTION,
  },
) {
  let output = "";
  const lines: string[] = [];
  const status = await runCommand(line.split(" "), {
    ...operations,
    loadRoutes: () => Promise.resolve(ROUTES),
    input,
    isTyped: false,
    write: (bytes) =>
      Promise.resolve(void (output += new TextDecoder().decode(bytes))),
    log: (line) => lines.push(line),
  });
  return [status, output, lines.join("\n")] as const;
}

Deno.test("a described operation is a command without more code", async (t) => {
  const draw = (query: string) => JSON.stringify({ path: "/api/draw", query });
  const write = (fields: object) =>
    JSON.stringify({ path: "/api/write", query: "", fields });
  const rows = [
    ["draw", 0, `${draw("")}\n`, ""],
    [
      "draw --max-length 3 --is-loud",
      0,
      `${draw("maxLength=3&isLoud=true")}\n`,
      "",
    ],
    [
      "draw --max-length 10",
      2,
      "",
      '--max-length must be an integer from 1 to 9, got "10"',
    ],
    [
      "write up --pen-name q",
      0,
      `${write({ mode: "up", penName: "q", input: "é\n" })}\n`,
      "",
    ],
    [
      "write down --width 3",
      0,
      `${write({ mode: "down", width: 3, input: "é\n" })}\n`,
      "",
    ],
    [
      "write up --json",
      0,
      `${
        JSON.stringify({ result: write({ mode: "up", input: "é\n" }), more: 1 })
      }\n`,
      "",
    ],
    ["write up --pen-name x", 2, "", '--pen-name must not be x, got "penName"'],
    [
      "write up --pen-nam x",
      2,
      "",
      'unknown option "--pen-nam", did you mean "--pen-name"?',
    ],
    ["write", 2, "", 'MODE must be "up" or "down", got nothing'],
  ] as const;
  for (const [line, ...expected] of rows) {
    await t.step(
      line,
      async () => assertEquals(await runInProcess(line), expected),
    );
  }
  const empty = await runInProcess("write up", new Blob([]).stream());
  assertEquals(empty, [1, "", "standard input must not be empty"]);
});

Deno.test("the help of an operation is made of its description", async () => {
  const [, draw] = await runInProcess("draw --help");
  const [, write] = await runInProcess("write --help");
  assert(draw.includes("\n  --[no-]is-loud       (default false)\n"), draw);
  assert(
    draw.endsWith("\nExample: devutils draw --max-length 2 --is-loud\n"),
    draw,
  );
  assert(
    write.endsWith(
      "\nExample: printf %s 'it'\\''s' | devutils write up --pen-name q\n",
    ),
    write,
  );
});

Deno.test("hash holds no input in memory, and the other commands at most 250 MB", async () => {
  const operations = { description };
  async function* repeat(count: number) {
    // The same memory each time, so that an input that is held has a wrong digest.
    const chunk = new Uint8Array(1_000_001);
    for (let i = 0; i < count; i += 1) yield chunk.fill(i);
  }
  const bytes = new Uint8Array(20 * 1_000_001);
  for (let i = 0; i < 20; i += 1) bytes.fill(i, i * 1_000_001);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", bytes))
    .toHex();
  const input = async function* () {
    // The command holds the first two megabytes, so they need memory of their own.
    yield bytes.slice(0, 2_000_002);
    let i = 0;
    for await (const chunk of repeat(20)) if (i++ >= 2) yield chunk;
  };
  const hashed = await runInProcess("hash sha1", input(), operations);
  assertEquals(hashed, [0, `${digest}\n`, ""]);
  for (const line of ["base64 encode", "base64 decode", "json format"]) {
    const refused = await runInProcess(line, repeat(250), operations);
    assertEquals(refused, [
      1,
      "",
      "standard input must be at most 250000000 bytes",
    ]);
  }
});
