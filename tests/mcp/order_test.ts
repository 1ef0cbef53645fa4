/** Small calls beside large calls, and calls of clients that have disconnected. */

import { assert, assertEquals } from "@std/assert";
import { createTestHandler } from "../_client.ts";
import { callTool } from "./_client.ts";

/** A message of 3 KB whose result has 8 MiB. */
const LARGE = JSON.stringify(callTool("processJson", {
  action: "format",
  input: "[".repeat(1_440) + "]".repeat(1_440),
  indent: 4,
}));
const SMALL = JSON.stringify(callTool("generateUuids", {}));

function createRequest(body: string, signal?: AbortSignal): Request {
  const init = { method: "POST", body };
  return new Request(
    "http://localhost/mcp",
    signal ? { ...init, signal } : init,
  );
}

Deno.test("small tool calls are answered before large ones that other clients sent first", async () => {
  const handler = createTestHandler();
  const answered: string[] = [];
  async function call(name: string, body: string): Promise<void> {
    const response = await handler(createRequest(body));
    await response.text();
    answered.push(name);
  }
  // The first call loads the official package.
  await call("first", SMALL);
  const large = Array.from({ length: 20 }, () => call("large", LARGE));
  const small = Array.from({ length: 20 }, () => call("small", SMALL));
  await Promise.all(small);
  assertEquals(answered.filter((name) => name === "large"), []);
  await Promise.all(large);
  assertEquals(answered.length, 41);
});

Deno.test("the calls of clients that have disconnected are dropped", async () => {
  const handler = createTestHandler();
  const abandoned = Array.from({ length: 100 }, async () => {
    const controller = new AbortController();
    const request = createRequest(LARGE, controller.signal);
    const answer = Promise.resolve(handler(request));
    // By then the message has been read.
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort();
    const { result } = await (await answer).json();
    return result.content[0].text;
  });
  const texts = await Promise.all(abandoned);
  // These results are too large: a call that runs to its end gets an error.
  const finished = texts.filter((text) => text.startsWith("the result"));
  assert(finished.length < 5, `${finished.length} were finished`);
});
