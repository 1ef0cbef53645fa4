/** The permissions of the task `start`, and the service with fewer or no permissions. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkHandlerResponse } from "../_client.ts";
import { ENDPOINTS } from "../_endpoints.ts";
import { run, runDeno, startArguments, startProcess } from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

Deno.test("the process may listen and read its settings, and nothing else", async () => {
  const args = startArguments("tests/process/_least_privilege.ts");
  const output = "listen on a port\nread PORT\n";
  assertEquals(await runDeno(args), { code: 0, output, log: "" });
});

Deno.test("a setting that the program may not read is named in the log, and has its default", async () => {
  const args = startArguments()
    .filter((word) => !word.startsWith("--allow-env"));
  await using server = await startProcess(
    [Deno.execPath(), ...args, "--port=0", "--host=127.0.0.1"],
    { MAX_BODY_BYTES: "1" },
  );
  const names = "MAX_BODY_BYTES,BODY_TIMEOUT_MS,LOG_REQUESTS";
  const warning = `cannot read ${names}: permit it with --allow-env=${names}\n`;
  // Standard error can arrive after standard output.
  await waitFor(() => server.log().includes(warning));
  const response = await fetchWithin(`${server.origin}/api/base64`, {
    method: "POST",
    body: '{"action":"encode","input":"a"}',
  });
  assertEquals((await checkHandlerResponse(response)).body, { result: "YQ==" });
});

Deno.test("every endpoint works in a hosted runtime that chooses the port and permits no files or settings", async () => {
  await using server = await startProcess([
    Deno.execPath(),
    ..."run --no-prompt --allow-net=127.0.0.1".split(" "),
    "tests/process/_hosted.ts",
  ]);
  for (const { path, fields, part } of ENDPOINTS) {
    const init = fields && { method: "POST", body: JSON.stringify(fields) };
    const response = await fetchWithin(`${server.origin}${path}`, init);
    assertEquals([path, response.status], [path, 200]);
    assertStringIncludes(await response.text(), part);
  }
});

/** The program with the permissions of a binary, which may read files for its commands. */
const READING = [
  Deno.execPath(),
  "run",
  "--no-prompt",
  "--allow-read",
  "--allow-net=127.0.0.1",
  "--allow-env",
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
    assertEquals(
      [...threads].sort(),
      ["main thread: granted, then prompt", "worker: granted, then prompt"]
        .slice(0, count),
    );
  }
});

Deno.test("mcp revokes its permission to read files", async () => {
  const { code, output } = await run([...READING, "mcp"]);
  assertEquals([code, output], [0, "granted, then prompt\n"]);
});
