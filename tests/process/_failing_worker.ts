/** The program on two cores, whose worker fails at its start. */

import { runServe } from "../../lib/process/program.ts";

Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 });

await runServe(["--parallel", "--port=0", "--host=127.0.0.1"], {
  module: import.meta.url,
  createHandler() {
    if (self.name !== "") throw new RangeError("no memory");
    return Promise.resolve(() => new Response());
  },
});
