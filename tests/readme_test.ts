import { assert, assertEquals } from "@std/assert";
import { MAX_RESULT_BYTES } from "../routes/json.ts";
import { DEFAULT_LENGTH, MAX_LENGTH, MIN_LENGTH } from "../routes/password.ts";
import { MAX_COUNT } from "../routes/uuid.ts";
import { CHARACTER_CLASSES } from "../lib/password.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { readVersion, run, runDeno, startServer } from "./_server.ts";

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
    assert(examples.length >= 13, "too few examples were found");
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
  assertEquals(programs.length, 1);
  for (const [, program] of programs) {
    await t.step(program!.split("\n")[0]!, async () => {
      const promised = [...program!.matchAll(/^console\.log.+; \/\/ (.+)$/gm)];
      assert(promised.length > 0);
      const local = program!.replace("http://localhost:8000", server.origin);
      const { output } = await runDeno(["eval", local]);
      assertEquals(output, promised.map(([, line]) => `${line}\n`).join(""));
    });
  }
});

Deno.test("the README and docs/speed.md have the same ratio of UUIDs to Hono's", async () => {
  const speed = await Deno.readTextFile("docs/speed.md");
  const [, hono] = /^\| UUID +\| +[\d.]+ \| +([\d.]+) \|/m.exec(speed)!;
  const ratio = Number(hono).toFixed(1);
  const claim = `${ratio} times as many requests a second as Hono`;
  assert(README.replaceAll(/\s+/g, " ").includes(claim), claim);
});

/** Replaces random values: UUIDs, and the characters of passwords. */
function hideRandom(answer: string): string {
  return answer
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g,
      "UUID",
    )
    .replace(
      /(?<="password":")[^"]+/,
      (password) => "x".repeat(password.length),
    );
}

Deno.test("the README states the limits of the code", () => {
  const { port, host, maxBodyBytes, bodyTimeoutMs } = DEFAULT_SETTINGS;
  const claims = [
    `| \`PORT\` | ${port} |`,
    `| \`HOST\` | ${host} |`,
    `| \`MAX_BODY_BYTES\` | ${maxBodyBytes} |`,
    `| \`BODY_TIMEOUT_MS\` | ${bodyTimeoutMs} |`,
    `at most ${maxBodyBytes / 1024 ** 2} MiB (\`MAX_BODY_BYTES\`)`,
    `the result of \`format\` at most ${MAX_RESULT_BYTES / 1024 ** 2} MiB.`,
    `how many, 1 to ${MAX_COUNT};`,
    `| \`length\` | ${DEFAULT_LENGTH} | characters, ${MIN_LENGTH} to ${MAX_LENGTH} |`,
    `Symbols are \`${CHARACTER_CLASSES.symbols}\`.`,
  ];
  // The formatter pads tables and wraps lines.
  const readme = README.replaceAll(/\s+/g, " ");
  for (const claim of claims) assert(readme.includes(claim), claim);
});
