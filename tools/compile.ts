/**
 * Compiles a binary for this platform and tests it. `--all` compiles for every platform, and
 * `--into FOLDER` changes the output folder.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import config from "../deno.json" with { type: "json" };
import { testProgram } from "./smoke.ts";

const ALL_TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

/** The flags of `deno task start`, and read permission for the commands. */
const FLAGS = [
  ...config.tasks.start.command.replaceAll("'", "").split(" ")
    .filter((word) => word.startsWith("--")),
  "--allow-read",
];

/** Returns the file name of a target's binary. */
export function nameBinary(target: string): string {
  const extension = target.includes("windows") ? ".exe" : "";
  return `devutils-${config.version}-${target}${extension}`;
}

/** Compiles for a target, and returns the path of the binary. */
async function compile(target: string, folder: string): Promise<string> {
  const path = `${folder}/${nameBinary(target)}`;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      ...FLAGS,
      `--target=${target}`,
      `--output=${path}`,
      "main.ts",
    ],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (success) return path;
  throw new Error(
    `cannot compile for ${target}: if downloading its runtime failed, set DENORT_BIN to a denort binary`,
  );
}

if (import.meta.main) {
  const { all, into } = parseArgs(Deno.args, {
    boolean: ["all"],
    string: ["into"],
    default: { into: "dist" },
    unknown(argument) {
      throw new Error(`unknown argument ${argument}`);
    },
  }) as { all: boolean; into: string };
  for (const target of all ? ALL_TARGETS : [Deno.build.target]) {
    const path = await compile(target, into);
    if (target !== Deno.build.target) continue;
    await testProgram([path]).catch(async (cause) => {
      await Deno.remove(path);
      throw new Error(`removed ${path}, which failed its test`, { cause });
    });
  }
}
