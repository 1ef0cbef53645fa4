import { assert, assertEquals } from "@std/assert";
import { readOutput } from "../_examples.ts";
import { readVersion, run, runDeno, startServer } from "../_server.ts";

const README = await Deno.readTextFile("README.md");

const hasCurl = Deno.build.os !== "windows" &&
  await readVersion("curl") !== "";

Deno.test({
  name:
    "the README's curl examples give the answers it shows (needs POSIX and curl)",
  ignore: !hasCurl,
  async fn(t) {
    await using server = await startServer();
    const examples = [...README.matchAll(/^\$ (curl .+)\n(.+)$/gm)];
    assert(examples.length >= 5, "too few examples were found");
    for (const [, command, answer] of examples) {
      await t.step(command!, async () => {
        const local = command!.replace("http://localhost:8000", server.origin);
        const { output } = await run(["sh", "-c", local]);
        assertEquals(hideRandom(output), hideRandom(answer!));
      });
    }
  },
});

Deno.test("the README's programs print the documented output", async (t) => {
  await using server = await startServer();
  const programs = [...README.matchAll(/^```(?:js|ts)\n([^]+?)^```$/gm)];
  assert(programs.length > 0);
  for (const [, program] of programs) {
    await t.step(program!.split("\n")[0]!, async () => {
      const promised = readOutput(program!);
      assert(promised !== "");
      const local = program!.replace("http://localhost:8000", server.origin);
      const { output } = await runDeno(["eval", local]);
      assertEquals(output, promised);
    });
  }
});

/** Replaces random values: UUIDs, and the characters of passwords. */
function hideRandom(answer: string): string {
  return answer
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g,
      "UUID",
    )
    .replace(
      /(?<="passwords?":\[?")[^"]+(?:","[^"]+)*/,
      (passwords) => passwords.replaceAll(/[^",]/g, "x"),
    );
}
