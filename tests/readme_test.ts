import { assert, assertEquals } from "@std/assert";
import { MAX_RESULT_BYTES } from "../routes/json.ts";
import { DEFAULT_LENGTH, MAX_LENGTH, MIN_LENGTH } from "../routes/password.ts";
import { MAX_COUNT } from "../routes/uuid.ts";
import { CHARACTER_CLASSES } from "../lib/password.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { startProcess, startServer } from "./_server.ts";

const README = await Deno.readTextFile(
  new URL("../README.md", import.meta.url),
);

const hasCurl = await new Deno.Command("curl", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "the README's curl examples give the answers it shows (needs curl)",
  ignore: !hasCurl,
  async fn(t) {
    await using server = await startServer();
    const examples = [...README.matchAll(/^\$ (curl .+)\n(.+)$/gm)];
    assert(examples.length >= 13, "the examples are not where they were");
    for (const [, command, answer] of examples) {
      await t.step(command!, async () => {
        const { stdout } = await new Deno.Command("sh", {
          args: [
            "-c",
            command!.replace("http://localhost:8000", server.origin),
          ],
        }).output();
        assertEquals(
          hideRandom(new TextDecoder().decode(stdout)),
          hideRandom(answer!),
        );
      });
    }
  },
});

/** The one example in a language. */
function readExample(language: string): string {
  const examples = [
    ...README.matchAll(new RegExp(`^\`\`\`${language}\n([^]+?)^\`\`\`$`, "gm")),
  ];
  assertEquals(examples.length, 1, `examples in ${language}`);
  return examples[0]![1]!;
}

Deno.test("the README's fetch example prints what it says", async () => {
  await using server = await startServer();
  const example = readExample("js");
  const [, promise] = /^console\.log.+; \/\/ (.+)$/m.exec(example)!;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", example.replace("http://localhost:8000", server.origin)],
  }).output();
  assertEquals(new TextDecoder().decode(stdout), `${promise}\n`);
});

Deno.test("the README's library example serves, with the option it sets", async () => {
  const example = readExample("ts");
  const port = 'Deno.serve({ hostname: "127.0.0.1", port: 0 }, ';
  await using server = await startProcess([
    Deno.execPath(),
    "eval",
    example.replace("Deno.serve(", port),
  ]);
  const response = await fetch(`${server.origin}/api/hash`, {
    method: "POST",
    body: " ".repeat(65_537),
  });
  await response.body?.cancel();
  assertEquals(response.status, 413);
});

/** Replaces what no two answers share: UUIDs, and the characters of passwords. */
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

Deno.test("the README names the limits that the code has", () => {
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
