/**
 * Compiles the service into binaries with the permissions of the task `start`,
 * tests the one for this platform, and writes their SHA-256 sums. Options: `--all`
 * for every platform, `--into FOLDER` for another folder than `dist`.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the report is the output

import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { runSmokeTest } from "./smoke.ts";

const ALL_TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

/** The flags of the task `start`: `--no-prompt` and its permissions. */
const FLAGS = config.tasks.start.command.replaceAll("'", "").split(" ")
  .filter((word) => word.startsWith("--"));

/** The file name of the binary for a target. */
export function nameBinary(target: string): string {
  const extension = target.includes("windows") ? ".exe" : "";
  return `devutils-${config.version}-${target}${extension}`;
}

/**
 * Compiles for a target and returns the file's name, or `undefined` if the compiler
 * failed and printed its error.
 */
async function compile(
  target: string,
  folder: string,
): Promise<string | undefined> {
  const name = nameBinary(target);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      ...FLAGS,
      `--target=${target}`,
      `--output=${folder}/${name}`,
      "main.ts",
    ],
    stdin: "null",
    stderr: "piped",
  }).spawn();
  const [{ success }, errors] = await Promise.all([
    child.status,
    show(child.stderr),
  ]);
  if (success) return name;
  // The error of a runtime (denort) that cannot be downloaded names it or its URL.
  if (/denort|dl\.deno\.land/.test(errors)) {
    console.error(
      "the runtime was not downloaded: set DENORT_BIN to a denort of that target",
    );
  }
}

/** Copies a stream to standard error and returns its text. */
async function show(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    Deno.stderr.writeSync(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Writes `SHA256SUMS`, in the format of `sha256sum --check`, into the folder. */
export async function writeSums(
  folder: string,
  names: readonly string[],
): Promise<void> {
  const lines: string[] = [];
  for (const name of names) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    lines.push(`${new Uint8Array(digest).toHex()}  ${name}\n`);
  }
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, lines.join(""));
}

async function main(): Promise<boolean> {
  const { values: { all, into: folder } } = parseArgs({
    options: {
      all: { type: "boolean", default: false },
      into: { type: "string", default: "dist" },
    },
  });
  const names: string[] = [];
  for (const target of all ? ALL_TARGETS : [Deno.build.target]) {
    const name = await compile(target, folder);
    if (name === undefined) return false;
    names.push(name);
    if (target !== Deno.build.target) continue;
    try {
      await runSmokeTest([`${folder}/${name}`]);
    } catch (error) {
      await Deno.remove(`${folder}/${name}`);
      console.error(`${name} does not serve, and is removed:`, error);
      return false;
    }
  }
  await writeSums(folder, names);
  return true;
}

if (import.meta.main) Deno.exit(await main() ? 0 : 1);
