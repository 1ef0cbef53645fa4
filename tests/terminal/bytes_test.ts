/** Input that is no text, or larger than HTTP allows. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ExitError } from "../../lib/process/exit_error.ts";
import { runOperation } from "../../lib/terminal/mod.ts";
import { loadOperation } from "../../routes/operations.ts";
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

/** Yields megabytes, each in the same memory, so that an input that is held has a wrong digest. */
async function* repeat(count: number) {
  const chunk = new Uint8Array(1_000_001);
  for (let i = 0; i < count; i += 1) yield await chunk.fill(i);
}

/** Copies the first chunk, which the command holds until it knows that more come. */
async function* keepFirst(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>) {
  let i = 0;
  for await (const chunk of chunks) yield i++ === 0 ? chunk.slice() : chunk;
}

Deno.test("hash agrees with Node's on bytes of any amount, of which it holds none", async () => {
  // Input of more than 1 MiB is hashed in parts.
  for (const count of [0, 1, 2, 20]) {
    for (const algorithm of ["sha1", "sha256", "sha512"]) {
      const expected = createHash(algorithm);
      for await (const chunk of repeat(count)) expected.update(chunk);
      const result = expected.digest("hex");
      const input = keepFirst(repeat(count));
      assertEquals(await runCommand(`hash ${algorithm}`, input), {
        result,
        algorithm,
      });
    }
  }
});

Deno.test("base64 and json take 250 MB at most", async () => {
  for (const line of ["base64 encode", "base64 decode", "json format"]) {
    const { message, status } = await assertRejects(
      () => runCommand(line, repeat(250)),
      ExitError,
    );
    assertEquals(message, "standard input must be at most 250000000 bytes");
    assertEquals(status, 1);
  }
});

Deno.test("3 MB of bytes survive encoding and decoding, in both alphabets", async () => {
  const bytes = new Uint8Array(3_000_000);
  for (let start = 0; start < bytes.length; start += 60_000) {
    crypto.getRandomValues(bytes.subarray(start, start + 60_000));
  }
  for (const alphabet of ["base64", "base64url"] as const) {
    const variant = alphabet === "base64" ? "standard" : "url";
    const encode = `base64 encode --variant ${variant}`;
    const { output } = await runLine(encode, bytes);
    assert(output === `${Buffer.from(bytes).toString(alphabet)}\n`, variant);
    const [command, ...args] = [...PROGRAM, "base64", "decode"];
    const child = new Deno.Command(command!, {
      args,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writing = new Blob([output]).stream().pipeTo(child.stdin);
    const { stdout } = await within(child.output(), "the end of decoding");
    await writing;
    assert(Buffer.from(bytes).equals(stdout), variant);
  }
});

Deno.test("json formats to more than 8 MiB, and keeps 2 MB as they are", async () => {
  const brackets = "[".repeat(3_000) + "]".repeat(3_000);
  const { output } = await runLine("json format", brackets);
  assert(output.length > 2 * 8_388_608);
  assert(output === `${JSON.stringify(JSON.parse(brackets), null, 2)}\n`);
  const text = JSON.stringify(Array.from({ length: 2e5 }, (_, i) => `é${i}`));
  assert(text.length > 1_048_576);
  assert((await runLine("json minify", text)).output === `${text}\n`);
});
