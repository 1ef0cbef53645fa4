/** Files as input: the last word of a command, relative to the current folder. */

import { assertEquals } from "@std/assert";
import { createFolder, run, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

/** Runs the task `cli` in a folder. The task that runs the tests has set `INIT_CWD`. */
function runTask(args: readonly string[], cwd: string) {
  const task = [Deno.execPath(), "task", "--quiet", "cli", ...args];
  return run(["env", "-u", "INIT_CWD", ...task], { cwd });
}

const NO_FILE = "no such file (to pass a string, use standard input)";

testOnPosix(
  "a command reads a file relative to the current folder, even below the task's folder",
  async (t) => {
    await using created = await createFolder();
    const folder = created.path;
    await Deno.mkdir(`${folder}/a folder`);
    await Deno.writeTextFile(`${folder}/abc`, "abc");
    await Deno.writeTextFile(`${folder}/a folder/[ 1 ].json`, "\ufeff[ 1 ]");
    await Deno.writeTextFile(`${folder}/invalid.json`, "[1 2]");
    /** Arguments, the exit status, and the line on standard output or standard error. */
    const rows = [
      [["hash", "sha1", "abc"], 0, "a9993e364706816aba3e25717850c26c9cd0d89d"],
      [["json", "minify", "a folder/[ 1 ].json"], 0, "[1]"],
      [["hash", "sha1", ""], 1, `cannot open the file "": ${NO_FILE}`],
      [
        ["base64", "decode", "aGk"],
        1,
        `cannot open the file "aGk": ${NO_FILE}`,
      ],
      [["hash", "sha1", "a folder"], 1, '"a folder" is a directory'],
      [
        ["json", "validate", "invalid.json"],
        1,
        'invalid.json:1:4: expected "," or "]", got "2"',
      ],
      [
        ["hash", "sha1", "/dev/stdin"],
        1,
        'cannot open the file "/dev/stdin": Deno needs --allow-read to open files, and it cannot open devices: use < FILE',
      ],
    ] as const;
    for (const [args, code, line] of rows) {
      await t.step(args.join(" "), async () => {
        const [output, log] = code === 0
          ? [`${line}\n`, ""]
          : ["", `${line}\n`];
        assertEquals(await runTask(args, folder), { code, output, log });
      });
    }
  },
);

testOnPosix(
  "the error for a file name that is not UTF-8 suggests a redirection",
  async () => {
    await using folder = await createFolder();
    const { output } = await runScript(
      `f="$(printf '\\377.txt')"; printf abc > "$f"
    devutils hash sha1 "$f" 2>&1; devutils hash sha1 < "$f"; rm "$f"`,
      folder.path,
    );
    assertEquals(output.split("\n").slice(0, 2), [
      'cannot open the file "\ufffd.txt": no such file (if its name is not UTF-8, use < FILE)',
      "a9993e364706816aba3e25717850c26c9cd0d89d",
    ]);
  },
);
