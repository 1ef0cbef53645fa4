/**
 * Calls of a tool, in milliseconds: a process that answers one over standard input, the
 * first one over HTTP after the start, and later ones. `load` has them beside large ones.
 *
 * @module
 */

import { readCommand, run as runProgram } from "../tests/_server.ts";
import { printRow, quantile, runWrk } from "./_measure.ts";
import { assertRight, callTool, post } from "./_operations.ts";
import { listServices } from "./_servers.ts";
import type { Options } from "./main.ts";

const CALL = callTool(post("hash", 1));
const INPUT = `${JSON.stringify(CALL.fields)}\n`;

/** Measures the services that the options name; the process is that of this checkout. */
export async function run(options: Options): Promise<void> {
  const { rounds = 5, seconds = 5 } = options;
  printRow("", ["process", "first", "later", "calls/s"]);
  for (const [name, start] of Object.entries(listServices(options))) {
    const processes: number[] = [];
    const firsts: number[] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      const begin = performance.now();
      await runProgram(readCommand("mcp"), { input: INPUT });
      processes.push(performance.now() - begin);
      await using server = await start("");
      const middle = performance.now();
      await assertRight(server, CALL);
      firsts.push(performance.now() - middle);
    }
    await using server = await start("");
    const load = { seconds: Number(seconds), clients: 16 };
    const { p50, perSecond } = await runWrk(server, CALL, load);
    const figures = [quantile(processes), quantile(firsts), p50, perSecond];
    printRow(name, figures, 1);
  }
}
