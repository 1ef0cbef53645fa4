/** Input that is no text, or larger than HTTP allows, beside coreutils. */

import { assert, assertEquals } from "@std/assert";
import { readVersion, run } from "../_server.ts";
import { PROGRAM, runBytes, runLine } from "./_terminal.ts";

const hasCoreutils = (await readVersion("base64")).includes("GNU coreutils");

/** Returns random bytes. */
function draw(byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  for (let start = 0; start < byteLength; start += 65_536) {
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  }
  return bytes;
}

Deno.test({
  name:
    "hash and base64 agree with coreutils on random bytes (needs GNU coreutils)",
  ignore: !hasCoreutils,
  async fn(t) {
    // `hash` streams what is longer than 1 MiB.
    for (const byteLength of [0, 1, 1_048_576, 1_048_577, 5_000_000]) {
      const bytes = draw(byteLength);
      for (const algorithm of ["sha1", "sha256", "sha512"]) {
        await t.step(`${algorithm} of ${byteLength} bytes`, async () => {
          const { output } = await run([`${algorithm}sum`], { input: bytes });
          const digest = `${output.split(" ")[0]}\n`;
          const expected = { code: 0, output: digest, log: "" };
          assertEquals(await runLine(`hash ${algorithm}`, bytes), expected);
        });
      }
      await t.step(`base64 of ${byteLength} bytes`, async () => {
        const { output } = await run(["base64", "-w0"], { input: bytes });
        const expected = { code: 0, output: `${output}\n`, log: "" };
        assertEquals(await runLine("base64 encode", bytes), expected);
      });
    }
  },
});

Deno.test("10 MB of bytes survive encoding and decoding, in both alphabets", async () => {
  const bytes = draw(10_000_000);
  for (const variant of ["standard", "url"]) {
    const encode = [...PROGRAM, "base64", "encode", "--variant", variant];
    const text = await runBytes(encode, bytes);
    const decoded = await runBytes([...PROGRAM, "base64", "decode"], text);
    assert(decoded.byteLength === bytes.byteLength);
    assert(decoded.every((byte, i) => byte === bytes[i]), variant);
  }
});

Deno.test("json formats to more than 8 MiB, and keeps 10 MB as they are", async () => {
  const brackets = "[".repeat(3_000) + "]".repeat(3_000);
  const { output } = await runLine("json format", brackets);
  assert(output.length > 2 * 8_388_608);
  assert(output === `${JSON.stringify(JSON.parse(brackets), null, 2)}\n`);
  const text = JSON.stringify(
    Array.from({ length: 1_200_000 }, (_, i) => `é${i}`),
  );
  assert(text.length > 10_000_000);
  assert((await runLine("json minify", text)).output === `${text}\n`);
  const valid = await runLine("json validate", text);
  assertEquals(valid, { code: 0, output: "valid JSON\n", log: "" });
});
