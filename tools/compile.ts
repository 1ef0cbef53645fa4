/**
 * Compiles the service into single binaries below `dist/`, with the permissions
 * of the task `start`, and writes their SHA-256 sums. Without arguments for this
 * platform, with `--all` for every one.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- it reports to whoever runs it

import config from "../deno.json" with { type: "json" };

const ALL_TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

const FOLDER = "dist";

/** The permissions that `deno task start` gives, and no prompt for others. */
const FLAGS = config.tasks.start.command.split(" ").filter((word) =>
  word.startsWith("--")
);

async function compile(target: string): Promise<string> {
  const extension = target.includes("windows") ? ".exe" : "";
  const name = `devutils-${config.version}-${target}${extension}`;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      ...FLAGS,
      "--exclude-unused-npm",
      `--target=${target}`,
      `--output=${FOLDER}/${name}`,
      "main.ts",
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const [said, complaints] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (success) {
    console.log(`${said}${complaints}`);
    return name;
  }
  const reason = /^error: (.*)$/m.exec(complaints!)?.[1] ?? complaints;
  console.error(
    `cannot compile for ${target} (${reason}): connect to the network, from which ` +
      "Deno takes its runtime part, or set DENORT_BIN to a denort of that target",
  );
  Deno.exit(1);
}

async function writeSums(names: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const name of names) {
    const bytes = await Deno.readFile(`${FOLDER}/${name}`);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    lines.push(`${new Uint8Array(digest).toHex()}  ${name}\n`);
  }
  await Deno.writeTextFile(`${FOLDER}/SHA256SUMS`, lines.join(""));
}

const targets = Deno.args.includes("--all") ? ALL_TARGETS : [Deno.build.target];
const names: string[] = [];
for (const target of targets) names.push(await compile(target));
await writeSums(names);
