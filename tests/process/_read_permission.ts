/** The program, with handlers that report whether their thread has read permission. */

import { runMcp, runServe } from "../../lib/process/program.ts";
import { print } from "../../tools/print.ts";

Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 });

function getReadState(): string {
  return Deno.permissions.querySync({ name: "read" }).state;
}

const [command, ...args] = Deno.args;
if (command === "mcp") {
  await runMcp(args, () => {
    const before = getReadState();
    return Promise.resolve(() => {
      print(`${before}, then ${getReadState()}`);
      return Promise.resolve();
    });
  });
} else {
  await runServe(args, {
    module: import.meta.url,
    createHandler() {
      const thread = self.name === "" ? "main thread" : "worker";
      const before = getReadState();
      return Promise.resolve(() =>
        new Response(`${thread}: ${before}, then ${getReadState()}`)
      );
    },
  });
}
