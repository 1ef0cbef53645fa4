/** Standard input that is typed, and standard output that is closed. */

import { assertEquals } from "@std/assert";
import { readVersion, run, testOnPosix } from "../_server.ts";
import { LINE, runScript } from "./_terminal.ts";

testOnPosix("a closed pipe ends a command silently", async () => {
  for (const command of ["uuid --count 100", "base64 encode < deno.lock"]) {
    // `exec` closes the output before the command writes to it.
    const { output, log } = await runScript(
      `{ devutils ${command}; echo $? >&2; } | exec true`,
    );
    assertEquals([output, log], ["", "0\n"]);
  }
});

const hasScript = (await readVersion("script")).includes("util-linux");

Deno.test({
  name: "a command that reads from a terminal says so (needs util-linux)",
  ignore: !hasScript,
  async fn() {
    const { output } = await run(
      ["script", "--quiet", "--command", `${LINE} hash sha1`, "/dev/null"],
      { input: "\x04" },
    );
    const lines = output.replace("^D\b\b", "").split("\r\n");
    assertEquals(lines, [
      "waiting for standard input, which ends with Ctrl-D",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "",
    ]);
  },
});
