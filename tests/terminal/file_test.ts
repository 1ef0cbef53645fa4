/** Files as input: the last word of a command, in the folder in which it was typed. */

import { assertEquals } from "@std/assert";
import { run, testOnPosix } from "../_server.ts";
import { runScript } from "./_terminal.ts";

/** Runs the task `cli` in a folder, as outside of another task, which has set `INIT_CWD`. */
function runTask(args: readonly string[], cwd: string) {
  const task = [Deno.execPath(), "task", "--quiet", "cli", ...args];
  return run(["env", "-u", "INIT_CWD", ...task], { cwd });
}

const NO_FILE = "no such file (to pass a string, use standard input)";

testOnPosix(
  "a file is the input of a command, also of a folder below that of the task",
  async (t) => {
    const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
    await Deno.mkdir(`${folder}/a folder`);
    await Deno.writeTextFile(`${folder}/abc`, "abc");
    await Deno.writeTextFile(`${folder}/a folder/[ 1 ].json`, "\ufeff[ 1 ]");
    await Deno.writeTextFile(`${folder}/wrong.json`, "[1 2]");
    await Deno.writeTextFile(`${folder}/aGk=`, "/w==");
    const rows: readonly (readonly [
      args: readonly string[],
      code: number,
      output: string,
      log: string,
    ])[] = [
      [
        ["hash", "sha1", "abc"],
        0,
        "a9993e364706816aba3e25717850c26c9cd0d89d\n",
        "",
      ],
      [["json", "minify", "a folder/[ 1 ].json"], 0, "[1]\n", ""],
      [
        ["hash", "sha1", ""],
        1,
        "",
        `cannot open the file "": ${NO_FILE}\n`,
      ],
      [
        ["json", "validate", "wrong.json"],
        1,
        "",
        'wrong.json:1:4: expected "," or "]", got "2"\n',
      ],
      [
        [
          "hash",
          "sha1",
          "abc",
          "--check",
          "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        ],
        1,
        "",
        '"abc" must have the digest da39a3ee5e6b4b0d3255bfef95601890afd80709, got a9993e364706816aba3e25717850c26c9cd0d89d\n',
      ],
      [
        ["base64", "decode", "aGk"],
        1,
        "",
        `cannot open the file "aGk": ${NO_FILE}\n`,
      ],
      [["hash", "sha1", "a folder"], 1, "", '"a folder" is a directory\n'],
      [
        ["hash", "sha1", "/dev/stdin"],
        1,
        "",
        'cannot open the file "/dev/stdin": Deno needs --allow-read to open files, and cannot open devices: use < FILE\n',
      ],
    ];
    try {
      for (const [args, code, output, log] of rows) {
        await t.step(args.join(" "), async () => {
          const expected = { code, output, log };
          assertEquals(await runTask(args, folder), expected);
        });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

testOnPosix(
  "a name that is not UTF-8 is refused with the way that works",
  async () => {
    const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
    const { output } = await runScript(
      `f="$(printf '\\377.txt')"; printf abc > "$f"
    devutils hash sha1 "$f" 2>&1; devutils hash sha1 < "$f"; rm "$f"`,
      folder,
    );
    assertEquals(output.split("\n").slice(0, 2), [
      'cannot open the file "\ufffd.txt": no such file (if its name is not UTF-8, use < FILE)',
      "a9993e364706816aba3e25717850c26c9cd0d89d",
    ]);
    await Deno.remove(folder, { recursive: true });
  },
);
