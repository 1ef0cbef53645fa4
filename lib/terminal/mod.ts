/** Runs the operations of the service as commands in a terminal. */

import { ExitError } from "../exit_error.ts";
import { logError } from "../log.ts";
import type { Operation } from "../operation/operation.ts";
import { openInput, writeOutput } from "../standard_streams.ts";
import { createUnknownError } from "./arguments.ts";
import { runOperation } from "./command.ts";

/**
 * Runs the command that the arguments name. Returns the exit status: 0 for a result, also
 * if the reader of the output has closed it; 1 for an input that is refused, invalid JSON,
 * a failure to read or to write, or an unexpected error; 2 for a wrong command line.
 */
export async function runCommand(
  args: readonly string[],
  operations: readonly Operation[],
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
  operations: readonly Operation[],
): Promise<number> {
  const isHelp = (text: string) => text === "--help" || text === "-h";
  const operation = operations.find((operation) => operation.name === name);
  if (isHelp(name) || operation !== undefined && args.some(isHelp)) {
    const { writeHelp, writeOverview } = await import("./help.ts");
    const help = operation ? writeHelp(operation) : writeOverview(operations);
    await writeOutput(help);
    return 0;
  }
  if (operation === undefined) throw createUnknownError("command", name);
  const answer = await runOperation(operation, args, readInput());
  const [result] = Object.values(answer);
  const isValid = answer["valid"] !== false;
  if (args.includes("--json")) await writeOutput(`${JSON.stringify(answer)}\n`);
  else if (!isValid) logError(String(result));
  else if (result instanceof Uint8Array) await writeOutput(result);
  else await writeOutput(`${[result].flat().join("\n")}\n`);
  return isValid ? 0 : 1;
}

async function* readInput(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (Deno.stdin.isTerminal()) {
    const end = Deno.build.os === "windows" ? "Ctrl-Z and Enter" : "Ctrl-D";
    logError(`waiting for standard input, which ends with ${end}`);
  }
  yield* openInput();
}
