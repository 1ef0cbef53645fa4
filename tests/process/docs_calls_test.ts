/** The calls that the page `/docs` shows, sent from a shell. */

import { assert, assertEquals } from "@std/assert";
import { readCalls } from "../_docs.ts";
import { hideRandom } from "../_examples.ts";
import { readVersion, run, startServer } from "../_server.ts";
import { fetchWithin } from "../_within.ts";

const hasCurl = Deno.build.os !== "windows" &&
  await readVersion("curl") !== "";

Deno.test({
  name:
    "every call of /docs, pasted into a shell, gets the status and the answer shown (needs POSIX and curl)",
  ignore: !hasCurl,
  async fn(t) {
    await using server = await startServer();
    const page = await fetchWithin(`${server.origin}/docs`);
    const calls = readCalls(await page.text());
    assert(calls.length >= 20, "too few calls were found");
    for (const { command, status, answer } of calls) {
      await t.step(command, async () => {
        const measured = `${command} --silent --write-out '\\n%{http_code}'`;
        const { output, log } = await run(["sh", "-c", measured]);
        assertEquals(log, "");
        const end = output.lastIndexOf("\n");
        assertEquals(output.slice(end + 1), String(status));
        assertEquals(
          hideRandom(output.slice(0, end)),
          hideRandom(`${answer}\n`),
        );
      });
    }
  },
});
