/**
 * The operations as tools of a local agent, over standard input and output (Model
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
import { readSettings, SettingError } from "./lib/process/settings.ts";
import { serveStdio } from "./routes/stdio.ts";

/**
 * Reads messages from standard input and writes the answers to standard output, until
 * the input ends. A message may have `MAX_BODY_BYTES` bytes if the process may read that
 * variable, otherwise 1 MiB.
 */
export async function serveAgent(): Promise<void> {
  await serveStdio({ maxMessageBytes: readLimit() });
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

/** Returns `MAX_BODY_BYTES` if the process may read it, and `undefined` for other variables. */
function readLimitVariable(name: string): string | undefined {
  if (name !== "MAX_BODY_BYTES") return undefined;
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

if (import.meta.main) await serveAgent();
