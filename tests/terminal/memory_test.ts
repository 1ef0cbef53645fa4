/** Inputs of hundreds of megabytes, which are not written anywhere. */

import { assertEquals, assertRejects } from "@std/assert";
import { ExitError } from "../../lib/exit_error.ts";
import { COMMANDS } from "../../lib/terminal/commands.ts";

/** Yields chunks of a megabyte in the same memory, so that an input that is held has a wrong digest. */
async function* repeat(count: number) {
  const chunk = new Uint8Array(1_000_001);
  for (let i = 0; i < count; i += 1) yield await chunk.fill(i);
}

Deno.test("hash holds no input in memory, and base64 and json at most 250 MB", async () => {
  const bytes = new Uint8Array(20 * 1_000_001);
  for (let i = 0; i < 20; i += 1) bytes.fill(i, i * 1_000_001);
  const digest = await crypto.subtle.digest("SHA-1", bytes);
  async function* input() {
    // The command holds the first megabyte, so it needs memory of its own.
    yield bytes.slice(0, 1_000_001);
    let i = 0;
    for await (const chunk of repeat(20)) if (i++ > 0) yield chunk;
  }
  assertEquals(await COMMANDS.get("hash")!(["sha1"], input()), {
    result: new Uint8Array(digest).toHex(),
    algorithm: "sha1",
  });
  for (const line of ["base64 encode", "base64 decode", "json format"]) {
    const [name, ...args] = line.split(" ");
    const { message, status } = await assertRejects(
      async () => await COMMANDS.get(name!)!(args, repeat(250)),
      ExitError,
    );
    assertEquals(message, "standard input must be at most 250000000 bytes");
    assertEquals(status, 1);
  }
});
