/** The program on two cores, whose worker cannot listen. */

import { runProgram } from "../../lib/process/program.ts";

Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 });
if (self.name !== "") {
  Deno.serve = () => {
    throw new Deno.errors.AddrNotAvailable("no such address");
  };
}

await runProgram(["--parallel", "--port=0", "--host=127.0.0.1"], {
  version: "",
  module: import.meta.url,
  createHandler: () => Promise.resolve(() => new Response()),
  serveAgent: () => Promise.resolve(),
});
