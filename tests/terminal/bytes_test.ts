/** Input that isn't text, or is larger than a request can be. */

import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ExitError } from "../../lib/process/exit_error.ts";
import { runOperation } from "../../lib/terminal/mod.ts";
import { loadOperation } from "../../routes/operations.ts";
import { spawn } from "../_server.ts";
import { within } from "../_within.ts";
import { PROGRAM, runLine } from "./_terminal.ts";

/** Runs a command in process, with chunks as its standard input. */
async function runCommand(line: string, input: AsyncIterable<Uint8Array>) {
  const [name = "", ...args] = line.split(" ");
  const chunks = input as AsyncIterable<Uint8Array<ArrayBuffer>>;
  const operation = await loadOperation(name);
  const { result } = await runOperation(operation!, args, () => chunks);
  return result;
}

/** Yields megabytes in the same memory, so a command that keeps them gets an incorrect digest. */
async function* repeat(count: number) {
  const chunk = new Uint8Array(1_000_001);
  for (let i = 0; i < count; i += 1) yield await chunk.fill(i);
}

/** Copies the first chunk, which the command keeps until more chunks arrive. */
async function* keepFirst(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>) {
  let i = 0;
  for await (const chunk of chunks) yield i++ === 0 ? chunk.slice() : chunk;
}

Deno.test("hash returns the same digest as Node for input of any size, without keeping it", async () => {
  // More than 1 MiB is hashed in chunks.
  for (const count of [0, 1, 20]) {
    for (const algorithm of ["sha1", "sha256", "sha512"]) {
      const hash = createHash(algorithm);
      for await (const chunk of repeat(count)) hash.update(chunk);
      const expected = { result: hash.digest("hex"), algorithm };
      const input = keepFirst(repeat(count));
      assertEquals(await runCommand(`hash ${algorithm}`, input), expected);
    }
  }
});

Deno.test("a command that keeps its input accepts at most 250 MB", async () => {
  const { message, status } = await assertRejects(
    () => runCommand("json format", repeat(250)),
    ExitError,
  );
  assertEquals(message, "standard input must be at most 250000000 bytes");
  assertEquals(status, 1);
});

Deno.test("base64 encodes 3 MB of bytes, and decodes them", async () => {
  const bytes = Buffer.from(randomBytes(3_000_000));
  const { output } = await runLine("base64 encode --variant url", bytes);
  assert(output === `${bytes.toString("base64url")}\n`);
  const child = spawn([...PROGRAM, "base64", "decode"]);
  const writing = new Blob([output]).stream().pipeTo(child.stdin);
  const { stdout } = await within(child.output(), "the end of decoding");
  await writing;
  assert(bytes.equals(stdout));
});

Deno.test("json formats 2 MB to more than 8 MiB", async () => {
  const brackets = "[".repeat(3_000) + "]".repeat(3_000);
  const { output } = await runLine("json format", brackets.padEnd(2e6));
  assert(output.length > 2 * 8_388_608);
  assert(output === `${JSON.stringify(JSON.parse(brackets), null, 2)}\n`);
});
