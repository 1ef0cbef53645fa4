/** Large requests at once, in process. Those over sockets are in `guarantees/`. */

import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { call, checkAnswer } from "../_client.ts";
import { createServiceHandler, testBothWays } from "../_thread.ts";

testBothWays(
  "responses to requests that come at once and are read later are not mixed",
  async (create) => {
    for (const length of [10, 300_000]) {
      const inputs = Array.from(
        { length: 8 },
        (_, i) => JSON.stringify(`${i}`.padEnd(length)),
      );
      const requests = inputs.map((input) => {
        const body = JSON.stringify({ action: "minify", input });
        const init = { method: "POST", headers: { host: "h" }, body };
        return new Request("http://localhost/api/json", init);
      });
      const handler = create();
      const responses = await Promise.all(
        requests.map((each) => handler(each)),
      );
      for (const [i, response] of responses.entries()) {
        const { body } = await checkAnswer(response);
        assertEquals(body, { result: inputs[i], valid: true });
      }
    }
  },
);

Deno.test("small results of large texts hold no memory", async () => {
  const handler = createServiceHandler();
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

Deno.test("bodies of 8 MB are processed on one of many threads, if they are allowed", async () => {
  const handler = createServiceHandler({ maxBodyBytes: 2 ** 23 });
  const input = `[${"1, ".repeat(2_700_000)}1]`;
  const result = input.replaceAll(" ", "");
  const body = JSON.stringify({ action: "minify", input });
  const answer = await call("/api/json", { method: "POST", body, handler });
  assert(answer.body?.["result"] === result);
});

// The service frees the memory of requests and responses.
Deno.test("the library: the clone of a request that was answered stays whole", async () => {
  const handler = createHandler();
  for (const length of [10, 3_000, 100_000, 200_000]) {
    const text = '{"algorithm":"sha1","input":""}'.padEnd(length);
    const body = new TextEncoder().encode(text);
    const headers = { host: "h", "content-length": `${body.length}` };
    const init = { method: "POST", headers, body };
    const request = new Request("http://h/api/hash", init);
    const clone = request.clone();
    await handler(request, { completed: Promise.resolve() });
    assert(await clone.text() === text, `${length} bytes`);
  }
});

Deno.test("the library: the clone of a large response that was sent stays whole", async () => {
  const handler = createHandler();
  const fields = { action: "encode", input: "a".repeat(300_000) };
  const init = { method: "POST", body: JSON.stringify(fields) };
  const request = new Request("http://h/api/base64", init);
  const completed = Promise.resolve();
  const response = await handler(request, { completed });
  const clone = response.clone();
  assertEquals((await response.json()).result.length, 400_000);
  assertEquals((await clone.json()).result.length, 400_000);
});
