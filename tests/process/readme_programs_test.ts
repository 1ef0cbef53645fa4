import { assert, assertEquals } from "@std/assert";
import { hideRandom, readOutput } from "../_examples.ts";
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
        assertEquals(hideRandom(output), hideRandom(`${answer}\n`));
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
