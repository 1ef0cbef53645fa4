/** The program on two cores. Its worker fails to load or, with an argument, to listen. */

import { runServe } from "../../lib/process/program.ts";

Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 });

const isWorker = self.name !== "";
if (isWorker && Deno.args.length > 0) {
  Deno.serve = () => {
    throw new Deno.errors.AddrInUse("no memory");
  };
}

await runServe(["--parallel", "--port=0", "--host=127.0.0.1"], {
  module: import.meta.url,
  createHandler() {
    if (isWorker && Deno.args.length === 0) throw new RangeError("no memory");
    return Promise.resolve(() => new Response());
  },
});
