/** Simultaneous requests, large bodies, and clones, in process. */

import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { call, checkHandlerResponse } from "../_client.ts";
import { createServiceHandler, testBothWays } from "../_thread.ts";

testBothWays(
  "responses to simultaneous requests that are read later are not mixed up",
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
        const { body } = await checkHandlerResponse(response);
        assertEquals(body, { result: inputs[i], valid: true });
      }
    }
  },
);

Deno.test("a body of 8 MB is processed if maxBodyBytes permits it", async () => {
  const handler = createServiceHandler({ maxBodyBytes: 2 ** 23 });
  const input = `["${"a".repeat(8_000_000)}"]`;
  const body = JSON.stringify({ action: "minify", input: `${input} ` });
  const response = await call("/api/json", { method: "POST", body, handler });
  assert(response.body?.["result"] === input);
});

// The service frees the memory of requests and responses.
Deno.test("the library: clones of requests and large responses stay complete", async () => {
  const handler = createHandler();
  for (const length of [10, 300_000]) {
    const fields = { action: "encode", input: "a".repeat(length) };
    const init = { method: "POST", body: JSON.stringify(fields) };
    const request = new Request("http://h/api/base64", init);
    const requestClone = request.clone();
    const response = await handler(request);
    const responseClone = response.clone();
    const expected = { result: btoa(fields.input) };
    assertEquals(await response.json(), expected);
    assertEquals(await responseClone.json(), expected);
    assertEquals(await requestClone.json(), fields);
  }
});
