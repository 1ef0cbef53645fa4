/**
 * The operations as tools for a local agent, over standard input and output (Model
 * Context Protocol).
 *
 * ```ts
 * import { serveAgent } from "@devutils/service/mcp";
 *
 * serveAgent();
 * ```
 *
 * @module
 */

import { logError } from "./lib/log.ts";
import {
  Environment,
  readSettings,
  SettingError,
} from "./lib/process/settings.ts";
import { serveLocalAgent } from "./lib/mcp/local.ts";
import { SERVER } from "./routes/mcp.ts";
import { ROUTES } from "./routes/mod.ts";

/**
 * Reads messages from standard input and writes responses to standard output, until
 * the input ends. On SIGINT or SIGTERM the process exits with status 0.
 * `MAX_BODY_BYTES` limits the size of a message, if the process has permission to read
 * that variable.
 */
export async function serveAgent(): Promise<void> {
  exitOnSignals();
  await serveLocalAgent({ ...SERVER, routes: ROUTES }, {
    input: Deno.stdin.readable,
    output: Deno.stdout.writable,
    maxMessageBytes: readLimit(),
  });
}

/** Without listeners, Deno crashes on a signal if it is process 1, as in a container. */
function exitOnSignals(): void {
  // Windows has no SIGTERM.
  const isWindows = Deno.build.os === "windows";
  for (const signal of isWindows ? [] : ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => Deno.exit(0));
  }
}

function readLimit(): number {
  try {
    return readSettings(readLimitVariable).maxBodyBytes;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    logError(error.message);
    Deno.exit(1);
  }
}

/** Reads `MAX_BODY_BYTES` without a prompt for permission. */
function readLimitVariable(name: string): string | undefined {
  if (name !== "MAX_BODY_BYTES") return undefined;
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? new Environment().read(name) : undefined;
}

if (import.meta.main) await serveAgent();
