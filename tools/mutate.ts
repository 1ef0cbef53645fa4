/**
 * Breaks the service on purpose, a small fault at a time, in copies of the
 * project, and says which faults no test notices.
 *
 * ```
 * deno task mutate                            # all of lib/ and routes/
 * deno task mutate lib/json lib/quote.ts:20   # a folder, a line
 * ```
 *
 * `tools/mutants.json` has the tests of each module, the strictest first, and
 * the mutants that nobody can tell from the original, each with its reason. The
 * status is 1 where any other survives.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- it reports to whoever runs it

import config from "../deno.json" with { type: "json" };
import { findMutants, type Mutant } from "./_mutants.ts";
import data from "./mutants.json" with { type: "json" };

/** What no test needs of the project. */
const OMITTED = new Set([".git", "dist", "node_modules"]);

/** A mutant is killed by a test that takes so much longer than without it. */
const PATIENCE = { factor: 2, milliseconds: 5_000 };

/** How long the tests may take without a fault, in milliseconds. */
const MAX_TEST_MS = 120_000;

/** A mutant that hoards memory must not take the machine's, in MiB. */
const MAX_HEAP_MIB = 1_024;

interface Module {
  readonly path: string;
  readonly tests: readonly string[];
  /** The one line to change; all where there is none. */
  readonly line: number | undefined;
}

/** Why nobody can tell a mutant, or any on a line, from the original. */
interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change?: string;
  readonly reason: string;
}

type Verdict = "killed" | "timed out" | "equivalent" | "survived";

const TESTS: Readonly<Record<string, readonly string[]>> = data.tests;
const EQUIVALENTS: readonly Equivalent[] = data.equivalent;

/** The modules that the arguments name, all where there are none. */
function findModules(names: readonly string[]): Module[] {
  const modules = names.length === 0 ? ["lib", "routes"] : names;
  return modules.flatMap((name) => {
    const [path, line] = name.split(":");
    const paths = Object.keys(TESTS).filter((file) =>
      file === path || file.startsWith(`${path}/`)
    );
    if (paths.length === 0) {
      throw new Error(`tools/mutants.json names no tests for ${path}`);
    }
    return paths.map((path) => ({
      path,
      tests: TESTS[path]!,
      line: line === undefined ? undefined : Number(line),
    }));
  });
}

/** A copy of the project, in which one module at a time is changed. */
class Copy implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<Copy> {
    const folder = await Deno.makeTempDir({ prefix: "mutants-" });
    await copyFolder(".", folder);
    return new Copy(folder);
  }

  async write(path: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.#folder}/${path}`, text);
  }

  /** Whether the tests fail, or take longer than allowed. */
  async test(
    tests: readonly string[],
    milliseconds: number,
  ): Promise<"passed" | "failed" | "timed out"> {
    const flags = config.tasks.test.command.split(" ")
      .filter((word) => word.startsWith("--") && word !== "--parallel");
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "--no-check",
        "--fail-fast",
        `--v8-flags=--max-old-space-size=${MAX_HEAP_MIB}`,
        ...flags,
        ...tests,
      ],
      cwd: this.#folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
      // A group of its own, so that the servers of the tests end with them.
      detached: true,
    }).spawn();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      Deno.kill(-child.pid, "SIGKILL");
    }, milliseconds);
    const { success } = await child.status;
    clearTimeout(timer);
    return isLate ? "timed out" : success ? "passed" : "failed";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (OMITTED.has(name)) continue;
    if (isDirectory) {
      await Deno.mkdir(`${to}/${name}`);
      await copyFolder(`${from}/${name}`, `${to}/${name}`);
    } else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

function isEquivalent(path: string, { lineText, change }: Mutant): boolean {
  return EQUIVALENTS.some(({ file, line, change: listed }) =>
    file === path && line === lineText && (listed ?? change) === change
  );
}

/** Tries every mutant of a module and returns how many had which verdict. */
async function tryModule(
  { path, tests, line }: Module,
  copies: readonly Copy[],
): Promise<Map<Verdict, number>> {
  const text = await Deno.readTextFile(path);
  const mutants = findMutants(path, text)
    .filter((mutant) => line === undefined || mutant.line === line);
  const verdicts = new Map<Verdict, number>();

  const start = performance.now();
  if (await copies[0]!.test(tests, MAX_TEST_MS) !== "passed") {
    throw new Error(`the tests of ${path} fail without any fault`);
  }
  const allowed = PATIENCE.milliseconds +
    PATIENCE.factor * (performance.now() - start);

  async function judge(copy: Copy, mutant: Mutant): Promise<Verdict> {
    if (isEquivalent(path, mutant)) return "equivalent";
    const { start, end, replacement } = mutant;
    await copy.write(
      path,
      text.slice(0, start) + replacement + text.slice(end),
    );
    const outcome = await copy.test(tests, allowed);
    if (outcome !== "passed") {
      return outcome === "failed" ? "killed" : "timed out";
    }
    console.log(
      `survived  ${path}:${mutant.line}  ${mutant.change}\n            in  ${mutant.lineText}`,
    );
    return "survived";
  }

  const queue = mutants.values();
  await Promise.all(copies.map(async (copy) => {
    for (const mutant of queue) {
      const verdict = await judge(copy, mutant);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
    await copy.write(path, text);
  }));
  if (line === undefined) warnOfStale(path, mutants);
  return verdicts;
}

/** Names what is listed as equivalent and is not there any more. */
function warnOfStale(path: string, mutants: readonly Mutant[]): void {
  for (const { file, line, change } of EQUIVALENTS) {
    const isThere = mutants.some((mutant) =>
      mutant.lineText === line && mutant.change === (change ?? mutant.change)
    );
    if (file === path && !isThere) {
      console.log(
        `stale     ${file}  ${change ?? "any"}\n            in  ${line}`,
      );
    }
  }
}

function report(name: string, verdicts: ReadonlyMap<Verdict, number>): void {
  const count = (verdict: Verdict) => verdicts.get(verdict) ?? 0;
  const killed = count("killed") + count("timed out");
  const all = killed + count("survived");
  const score = all === 0 ? 100 : 100 * killed / all;
  console.log(
    `${name}: ${killed} of ${all} killed (${score.toFixed(1)} %), ${
      count("timed out")
    } of them by time, ${count("survived")} survived, ${
      count("equivalent")
    } equivalent`,
  );
}

const modules = findModules(Deno.args);
const total = new Map<Verdict, number>();
{
  // Two mutants are tried at a time.
  await using first = await Copy.create();
  await using second = await Copy.create();
  for (const module of modules) {
    const verdicts = await tryModule(module, [first, second]);
    report(module.path, verdicts);
    for (const [verdict, count] of verdicts) {
      total.set(verdict, (total.get(verdict) ?? 0) + count);
    }
  }
}
report("in all", total);
if (total.has("survived")) Deno.exitCode = 1;
