/** Large requests at once, in process. Those over sockets are in `guarantees/`. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { createHandler } from "../routes/mod.ts";
import { call, checkAnswer, post } from "./_client.ts";
import { callTool, send } from "./mcp/_client.ts";

/** A handler that has 16 MiB for large requests: the least that a thread has. */
const createSmallHandler = () => createHandler({ threads: 64 });

Deno.test("large texts that come at once are not mixed", async () => {
  await Promise.all(Array.from({ length: 20 }, async (_, i) => {
    const input = `${i} `.repeat(20_000);
    const result = createHash("sha256").update(input).digest("hex");
    const algorithm = "sha256";
    const { body } = await post("/api/hash", { algorithm, input });
    assertEquals(body, { result, algorithm });
  }));
});

Deno.test("responses that are read later are not mixed", async (t) => {
  const handler = createHandler();
  for (const length of [10, 300_000]) {
    await t.step(`${length} characters`, async () => {
      const inputs = ["a", "b"].map((letter) => `"${letter.repeat(length)}"`);
      const answers: Response[] = [];
      for (const input of inputs) {
        const body = JSON.stringify({ action: "format", input });
        const request = new Request("http://localhost/api/json", {
          method: "POST",
          body,
        });
        answers.push(await handler(request));
      }
      for (const [i, answer] of answers.entries()) {
        const { body } = await checkAnswer(answer);
        assertEquals(body, { result: inputs[i], valid: true });
      }
    });
  }
});

Deno.test("results that are not read stay within the memory, and wait for it", async () => {
  const handler = createSmallHandler();
  const fields = { action: "encode", input: "a".repeat(750_000) };
  // With a Host, as over HTTP/1.1, large bodies can wait.
  const headers = { host: "h" };
  const init = { method: "POST", headers, body: JSON.stringify(fields) };
  const responses: Response[] = [];
  const sending = Array.from({ length: 20 }, async () => {
    responses.push(await handler(new Request("http://h/api/base64", init)));
  });
  const rest = () => new Promise((resolve) => setTimeout(resolve));
  while (responses.length < 2) await rest();
  for (let i = 0; i < 50; i += 1) await rest();
  // Each has 1,000,013 bytes.
  assert(responses.length <= 16, `${responses.length} responses`);
  for (let i = 0; i < 20; i += 1) {
    while (responses.length === i) await rest();
    assertEquals((await responses[i]!.json()).result.length, 1_000_000);
  }
  await Promise.all(sending);
});

Deno.test("small results of large texts hold no memory", async () => {
  const handler = createSmallHandler();
  const input = `[${`${" ".repeat(50)}1,`.repeat(5_000)}1]`;
  const body = JSON.stringify({ action: "minify", input });
  // Together the texts have 25 MB.
  for (let i = 0; i < 100; i += 1) {
    const answer = await call("/api/json", { method: "POST", body, handler });
    assertEquals(answer.body, {
      result: `[${"1,".repeat(5_000)}1]`,
      valid: true,
    });
  }
});

Deno.test("the work on a large request ends when its client disconnects", async () => {
  const brackets = "[".repeat(2_000) + "]".repeat(2_000);
  // The first one has a large result, the second one is large.
  for (const input of [brackets, " ".repeat(500_000)]) {
    const body = JSON.stringify({ action: "format", input });
    const controller = new AbortController();
    const { signal } = controller;
    const answer = call("/api/json", { method: "POST", body, signal });
    controller.abort();
    assertEquals((await answer).status, 499);
  }
});

Deno.test("bodies of 8 MB are processed on one of many threads, if they are allowed", async () => {
  const handler = createHandler({ maxBodyBytes: 2 ** 23, threads: 64 });
  const numbers = "1,".repeat(2_500);
  // The first result is almost as large as the body, the second has two thirds.
  for (
    const input of [
      `[${`${numbers} `.repeat(1_676)}1]`,
      `[${"1, ".repeat(2_700_000)}1]`,
    ]
  ) {
    const result = input.replaceAll(" ", "");
    const fields = { action: "minify", input };
    const body = JSON.stringify(fields);
    const answer = await call("/api/json", { method: "POST", body, handler });
    assert(answer.body?.["result"] === result);
    const size = JSON.stringify({ result, valid: true }).length;
    const called = await send(callTool("processJson", fields), {}, handler);
    const { text } = called.body.result.content[0];
    assert(text.startsWith(`the result would have ${size} bytes`), text);
  }
});
