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

import { serveStdio } from "./routes/stdio.ts";

/** Answers the messages on standard input on standard output, until the input ends. */
export async function serveAgent(): Promise<void> {
  await serveStdio();
}

if (import.meta.main) await serveAgent();
