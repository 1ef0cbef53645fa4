import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call, checkAnswer, post } from "./_client.ts";
import { callTool, send } from "./mcp/_client.ts";

const PATH = "/api/json";

function nest(depth: number, text: string): string {
  return "[".repeat(depth) + text + "]".repeat(depth);
}

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
    '"input" must be JSON that is not too large when it is formatted: the result would exceed 8388608 bytes',
  );
});

Deno.test("POST /api/json does not mix responses that are read later", async (t) => {
  const handler = createHandler();
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

Deno.test("POST /api/json holds no memory after small results of large texts", async () => {
  const handler = createHandler({ threads: 64 });
  const input = `[${`${" ".repeat(50)}1,`.repeat(5_000)}1]`;
  const body = JSON.stringify({ action: "minify", input });
  // Together they have more than the 16 MiB of the handler.
  for (let i = 0; i < 100; i += 1) {
    const answer = await call(PATH, { method: "POST", body, handler });
    assertEquals(answer.body, {
      result: `[${"1,".repeat(5_000)}1]`,
      valid: true,
    });
  }
});

Deno.test("POST /api/json and its tool process bodies of 8 MB on one of many threads", async () => {
  const handler = createHandler({ maxBodyBytes: 2 ** 23, threads: 64 });
  const numbers = "1,".repeat(2_500);
  // The first result is almost as large as the body, the second has two thirds.
  const inputs = [
    `[${`${numbers} `.repeat(1_676)}1]`,
    `[${"1, ".repeat(2_700_000)}1]`,
  ];
  for (const input of inputs) {
    const result = input.replaceAll(" ", "");
    const fields = { action: "minify", input };
    const body = JSON.stringify(fields);
    const answer = await call(PATH, { method: "POST", body, handler });
    assert(answer.body?.result === result && answer.body.valid === true);

    const size = JSON.stringify({ result, valid: true }).length;
    const message = callTool("processJson", fields);
    const { content } = (await send(message, {}, handler)).body.result;
    assertMatch(content[0].text, RegExp(`^the result would have ${size}`));
  }
});
