/** The permissions of the task `start`, and the service with fewer or more of them. */

import { assertEquals } from "@std/assert";
import { checkHandlerResponse } from "../_client.ts";
import { run, runDeno, startArguments, startProcess } from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

Deno.test("the process has permission to listen and to read its settings, and no other", async () => {
  const args = startArguments("tests/process/_least_privilege.ts");
  const output = "listen on a port\nread PORT\n";
  assertEquals(await runDeno(args), { code: 0, output, log: "" });
});

Deno.test("a setting that the program has no permission to read is named in the log, and has its default", async () => {
  const args = startArguments()
    .filter((word) => !word.startsWith("--allow-env"));
  await using server = await startProcess(
    [Deno.execPath(), ...args, "--port=0", "--host=127.0.0.1"],
    { MAX_BODY_BYTES: "1" },
  );
  const names = "MAX_BODY_BYTES,BODY_TIMEOUT_MS,LOG_REQUESTS";
  const warning =
    `cannot read ${names}: to allow access, use --allow-env=${names}\n`;
  // Standard error can arrive after standard output.
  await waitFor(() => server.log().includes(warning));
  const response = await fetchWithin(`${server.origin}/api/base64`, {
    method: "POST",
    body: '{"action":"encode","input":"a"}',
  });
  assertEquals((await checkHandlerResponse(response)).body, { result: "YQ==" });
});

/** The program with the permissions of a binary, whose commands read files. */
const READING = [
  Deno.execPath(),
  ..."run --no-prompt --allow-read --allow-net=127.0.0.1 --allow-env".split(
    " ",
  ),
  "tests/process/_read_permission.ts",
];

Deno.test("serve revokes its permission to read files, in each thread", async () => {
  const address = ["--port=0", "--host=127.0.0.1"];
  for (const options of [address, [...address, "--parallel"]]) {
    await using server = await startProcess([...READING, "serve", ...options]);
    const threads = new Set<string>();
    const count = options.includes("--parallel") ? 2 : 1;
    // The system chooses the thread of each connection.
    await waitFor(async () => {
      const headers = { connection: "close" };
      const response = await fetchWithin(server.origin, { headers });
      threads.add(await response.text());
      return threads.size === count;
    });
    const expected = ["main thread", "worker"].slice(0, count)
      .map((thread) => `${thread}: granted, then prompt`);
    assertEquals([...threads].sort(), expected);
  }
});

Deno.test("mcp revokes its permission to read files", async () => {
  const { code, output } = await run([...READING, "mcp"]);
  assertEquals([code, output], [0, "granted, then prompt\n"]);
});
