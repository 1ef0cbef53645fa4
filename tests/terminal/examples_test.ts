/** Runs the examples of docs/terminal.md. */

import { assert, assertEquals } from "@std/assert";
import { hideRandom } from "../_examples.ts";
import { createFolder, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

testOnPosix(
  "the commands of docs/terminal.md succeed, and print the output shown",
  async () => {
    const page = await Deno.readTextFile("docs/terminal.md");
    const examples = [
      ...page.matchAll(/^\$ (.*\bdevutils .+)\n((?:(?!\$ |```).*\n)*)/gm),
    ];
    assert(examples.length >= 10, `${examples.length} examples`);
    await using folder = await createFolder();
    const cwd = folder.path;
    await Deno.mkdir(`${cwd}/web`);
    for (const name of ["deno.json", "web/screenshot.png"]) {
      await Deno.copyFile(name, `${cwd}/${name}`);
    }
    for (const [, line, shown] of examples) {
      // Errors are shown like output.
      const { code, output } = await runScript(`{ ${line}; } 2>&1`, cwd);
      assertEquals(code, 0, line);
      if (shown === "") continue;
      assertEquals(hideRandom(output), hideRandom(shown!));
    }
  },
);
