/**
 * Mutation testing: makes one small fault at a time in a copy of the project,
 * runs the module's tests, and prints each fault that no test has found.
 *
 * ```
 * deno task mutate lib/json lib/json/scan.ts:20        # a folder, a line of a module
 * deno task mutate lib/http/preflight.ts --tests=tests/http/router_test.ts
 * ```
 *
 * The tests of `lib/json/scan.ts` are those in `tests/json/scan_test.ts`, or in
 * all of `tests/json` if that file does not exist. A fault that remains is
 * either a missing test or a change that has no effect; the reader decides.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the report is the output

import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { findMutants } from "./_mutants.ts";

/** Folders that no test reads. */
const OMITTED = new Set([".git", "dist", "node_modules"]);

/** Number of mutants that are tested at a time. */
const COPIES = 2;

/** Time limit of the tests without a fault, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** Time limit of a mutant's tests: this factor of the time without a fault, and 5 s. */
const TIMEOUT_FACTOR = 2;
const TIMEOUT_EXTRA_MS = 5_000;

/** Largest heap of the tests, in MiB: a faulty loop may allocate without end. */
const MAX_HEAP_MIB = 1_024;

/** The flags of the task `test`. */
const TEST_FLAGS = config.tasks.test.command.split(" ")
  .filter((word) => word.startsWith("--") && word !== "--parallel");

/** A module to mutate, and its tests. */
interface Module {
  readonly path: string;
  /** The only line to mutate; all lines if undefined. */
  readonly line: number | undefined;
  readonly tests: readonly string[];
}

/** Lists the modules that an argument names: one file, or all of a folder. */
async function findModules(
  argument: string,
  tests: readonly string[] | undefined,
): Promise<Module[]> {
  const [path = "", line] = argument.split(":");
  const { isDirectory } = await Deno.stat(path);
  const paths = isDirectory
    ? (await Array.fromAsync(Deno.readDir(path)))
      .map(({ name }) => `${path}/${name}`).toSorted()
      .filter((name) => /(?<!\.d)\.ts$/.test(name))
    : [path];
  return await Promise.all(paths.map(async (path) => ({
    path,
    line: line === undefined ? undefined : Number(line),
    tests: tests ?? [await findTests(path)],
  })));
}

async function findTests(path: string): Promise<string> {
  const file = path.replace(/^(?:lib|routes)\//, "tests/")
    .replace(/\.ts$/, "_test.ts");
  try {
    await Deno.stat(file);
    return file;
  } catch {
    return file.replace(/\/[^/]+$/, "");
  }
}

async function copyProject(from: string, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (OMITTED.has(name)) continue;
    if (isDirectory) {
      await Deno.mkdir(`${to}/${name}`);
      await copyProject(`${from}/${name}`, `${to}/${name}`);
    } else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Runs tests in a copy of the project; returns whether they passed in time. */
async function passes(
  folder: string,
  tests: readonly string[],
  timeoutMs: number,
): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--no-check",
      "--fail-fast",
      `--v8-flags=--max-old-space-size=${MAX_HEAP_MIB}`,
      ...TEST_FLAGS,
      ...tests,
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    // A process group, so that servers which the tests have started end too.
    detached: true,
  }).spawn();
  const timer = setTimeout(() => Deno.kill(-child.pid, "SIGKILL"), timeoutMs);
  const { success } = await child.status;
  clearTimeout(timer);
  return success;
}

/** Tests every mutant of a module and prints those whose tests pass. */
async function mutateModule(
  { path, line, tests }: Module,
  folders: readonly string[],
): Promise<void> {
  const text = await Deno.readTextFile(path);
  const start = performance.now();
  if (!await passes(folders[0]!, tests, TIMEOUT_MS)) {
    throw new Error(`the tests of ${path} fail without a fault`);
  }
  const timeoutMs = TIMEOUT_EXTRA_MS +
    TIMEOUT_FACTOR * (performance.now() - start);

  const mutants = findMutants(path, text)
    .filter((mutant) => line === undefined || mutant.line === line);
  let survivors = 0;
  const queue = mutants.values();
  await Promise.all(folders.map(async (folder) => {
    for (const { text, line, change } of queue) {
      await Deno.writeTextFile(`${folder}/${path}`, text);
      if (!await passes(folder, tests, timeoutMs)) continue;
      survivors += 1;
      console.log(`${path}:${line}: ${change}`);
    }
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }));
  console.log(
    `${path}: ${mutants.length} mutants, ${survivors} not found by ${
      tests.join(" ")
    }`,
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: "string" } },
});
if (positionals.length === 0) {
  console.error("name the modules, such as lib/json or lib/json/scan.ts:20");
  Deno.exit(1);
}
const tests = values.tests?.split(",");
const modules = await Promise.all(
  positionals.map((argument) => findModules(argument, tests)),
);
const folder = await Deno.makeTempDir({ prefix: "mutants-" });
try {
  const copies = Array.from({ length: COPIES }, (_, i) => `${folder}/${i}`);
  for (const copy of copies) {
    await Deno.mkdir(copy);
    await copyProject(".", copy);
  }
  for (const module of modules.flat()) await mutateModule(module, copies);
} finally {
  await Deno.remove(folder, { recursive: true });
}
