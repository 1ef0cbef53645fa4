import { assertEquals, assertMatch } from "@std/assert";
import { checkHandlerResponse } from "../_client.ts";
import { run, runDeno, type ServerProcess, startServer } from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

/** Counts the listeners on the port of a server. Requires Linux. */
async function countListeners({ pid, port }: ServerProcess): Promise<number> {
  // Columns: number, local address, remote address, state; 0A is a listener.
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const listener = new RegExp(`^ *\\d+: 0100007F:${hex} \\S+ 0A `, "gm");
  const { output } = await run(["cat", `/proc/${pid}/net/tcp`]);
  return output.match(listener)?.length ?? 0;
}

Deno.test("start:parallel serves on each core with the same settings", async (t) => {
  const variables = { MAX_BODY_BYTES: "100" };
  await using server = await startServer(variables, { isParallel: true });

  await t.step("every thread has the settings", async () => {
    const exchanges = [
      ['{"action":"encode","input":"a"}', { result: "YQ==" }],
      [" ".repeat(101), { error: "the body must be at most 100 bytes" }],
    ] as const;
    for (const [body, expected] of exchanges) {
      // Enough connections at a time that every thread gets one.
      await Promise.all(Array.from({ length: 20 }, async () => {
        const init = { method: "POST", body };
        const url = `${server.origin}/api/base64`;
        const response = await fetchWithin(url, init);
        assertEquals((await checkHandlerResponse(response)).body, expected);
      }));
    }
    assertEquals(server.log(), `listening on ${server.origin}\n`);
  });

  await t.step({
    name: "each core has a listener (needs Linux)",
    ignore: Deno.build.os !== "linux",
    async fn() {
      const expected = navigator.hardwareConcurrency;
      // The workers listen a moment after the main thread.
      await waitFor(async () => await countListeners(server) >= expected);
      assertEquals(await countListeners(server), expected);
    },
  });
});

Deno.test("a worker that fails to load or to listen ends the process with its error and status 1", async () => {
  const command =
    "run --lock=tests/deno.lock --no-prompt --allow-net=127.0.0.1 --allow-env --allow-read=."
      .split(" ");
  const module = "tests/process/_failing_worker.ts";
  const rows = [
    [[], /^error: .*no memory$/m],
    [["listen"], /^error: .*cannot listen on 127\.0\.0\.1 port \d+: /m],
  ] as const;
  for (const [args, message] of rows) {
    const { code, output, log } = await runDeno([...command, module, ...args]);
    assertEquals([code, output], [1, ""]);
    assertMatch(log, message);
  }
});
