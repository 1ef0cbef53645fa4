/** Runs the operations of the service as commands in a terminal. */

import { ExitError } from "../process/exit_error.ts";
import { logError } from "../process/log.ts";
import type { Operation } from "../operation/operation.ts";
import { writeOutput } from "../process/standard_streams.ts";
import { createArgumentError } from "../process/command_line.ts";
import { formatValue } from "../format_value.ts";
import { readArguments } from "./arguments.ts";
import { runOperation } from "./command.ts";
import { openInput } from "./input.ts";

/** Largest number of single-character edits between an unknown command and a suggestion. */
const MAX_TYPOS = 2;

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
 * an input that is invalid, or a failure to read or to write; 2 for an invalid command
 * line.
 *
 * @throws an unexpected error, for which Deno prints the stack and exits with 1.
 */
export async function runCommand(
  args: readonly string[],
  operations: Operations,
): Promise<number> {
  try {
    return await run(args, operations);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    if (!(error instanceof ExitError)) throw error;
    logError(error.message);
    return error.status;
  }
}

async function run(
  [name = "", ...args]: readonly string[],
  { loadOperation, loadOperations }: Operations,
): Promise<number> {
  if (name === "--help" || name === "-h") {
    const { formatOverview } = await import("./help.ts");
    await writeOutput(formatOverview(await loadOperations()));
    return 0;
  }
  const operation = await loadOperation(name);
  if (operation === undefined) {
    throw await createCommandError(name, await loadOperations());
  }
  if (readArguments(operation, args).help) {
    const { formatHelp } = await import("./help.ts");
    await writeOutput(formatHelp(operation));
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
  else await writeOutput(`${[printed].flat().join("\n")}\n`);
  return error === undefined ? 0 : 1;
}

/** Creates the error for an unknown command, which suggests a command of similar name. */
async function createCommandError(
  name: string,
  operations: readonly Operation[],
): Promise<ExitError> {
  const { closestString, levenshteinDistance } = await import("@std/text");
  const names = [...operations.map(({ name }) => name), "serve", "mcp"];
  const closest = closestString(name, names);
  const isTypo = levenshteinDistance(name, closest) <= MAX_TYPOS;
  const advice = isTypo ? `did you mean ${formatValue(closest)}?` : undefined;
  return createArgumentError("unknown command", name, advice);
}
