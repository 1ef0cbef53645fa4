/** Runs the operations of the service as commands in a terminal. */

import { ExitError } from "../system/exit_error.ts";
import { logError } from "../system/log.ts";
import type { Operation } from "../operation/operation.ts";
import { writeOutput } from "../system/standard_streams.ts";
import { createUnknownError } from "./arguments.ts";
import { runOperation } from "./command.ts";
import { openInput } from "./input.ts";

/**
 * Functions that load operations: one by its name (`undefined` for an unknown name), or
 * all. A command loads only its own operation, so that it starts fast.
 */
interface Operations {
  readonly loadOperation: (name: string) => Promise<Operation | undefined>;
  readonly loadOperations: () => Promise<readonly Operation[]>;
}

/**
 * Runs the command that the arguments name, and prints its result. Returns the exit status:
 * 0 for a result or help, also if the reader of standard output has closed the pipe; 1 for
 * an input that is refused, or invalid for `json validate`, a failure to read or to write,
 * or an unexpected error; 2 for a wrong command line. Errors are logged.
 */
export async function runCommand(
  args: readonly string[],
  operations: Operations,
): Promise<number> {
  try {
    return await run(args, operations);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    if (error instanceof ExitError) {
      logError(error.message);
      return error.status;
    }
    logError("unexpected error", error);
    return 1;
  }
}

async function run(
  [name = "", ...args]: readonly string[],
  { loadOperation, loadOperations }: Operations,
): Promise<number> {
  if (isHelp(name)) {
    const { writeOverview } = await import("./help.ts");
    await writeOutput(writeOverview(await loadOperations()));
    return 0;
  }
  const operation = await loadOperation(name);
  if (operation === undefined) throw createUnknownError("command", name);
  if (asksForHelp(args)) {
    const { writeHelp } = await import("./help.ts");
    await writeOutput(writeHelp(operation));
    return 0;
  }
  const { result, printsJson, error } = await runOperation(
    operation,
    args,
    openInput,
  );
  const [printed] = Object.values(result);
  if (printsJson) await writeOutput(`${JSON.stringify(result)}\n`);
  else if (error !== undefined) logError(error);
  else if (printed instanceof Uint8Array) await writeOutput(printed);
  else await writeOutput(`${writeLines(printed)}\n`);
  return error === undefined ? 0 : 1;
}

/** Whether there is `--help` or `-h` before `--`, after which all arguments are words. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.some(isHelp);
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function writeLines(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : String(value);
}
