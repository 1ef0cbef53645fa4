/** Runs the operations of the service as commands in a terminal. */

import { ExitError } from "../exit_error.ts";
import { logError } from "../log.ts";
import type { Operation } from "../operation/operation.ts";
import { createUnknownError } from "./arguments.ts";
import { runOperation } from "./command.ts";

/**
 * Runs the command that the arguments name. Returns the exit status: 0 for a result, also
 * if the reader of the output has closed it; 1 for an input that is refused, invalid JSON
 * or an unexpected error; 2 for a wrong command line.
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
    await write(operation ? writeHelp(operation) : writeOverview(operations));
    return 0;
  }
  if (operation === undefined) throw createUnknownError("command", name);
  const answer = await runOperation(operation, args, readStandardInput());
  const [result] = Object.values(answer);
  const isValid = answer["valid"] !== false;
  if (args.includes("--json")) await write(`${JSON.stringify(answer)}\n`);
  else if (!isValid) logError(String(result));
  else if (result instanceof Uint8Array) await write(result);
  else await write(`${[result].flat().join("\n")}\n`);
  return isValid ? 0 : 1;
}

async function* readStandardInput(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (Deno.stdin.isTerminal()) {
    const end = Deno.build.os === "windows" ? "Ctrl-Z and Enter" : "Ctrl-D";
    logError(`waiting for standard input, which ends with ${end}`);
  }
  yield* Deno.stdin.readable;
}

async function write(data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  await Deno.stdout.writable.getWriter().write(bytes);
}
