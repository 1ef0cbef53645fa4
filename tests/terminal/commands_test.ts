/** The commands as processes: output, errors, and exit status. `_cases.ts` has more inputs. */

import { assertEquals, assertMatch } from "@std/assert";
import { UUID } from "../_examples.ts";
import { spawn, testOnPosix } from "../_server.ts";
import { within } from "../_within.ts";
import { PROGRAM, runLine, runScript, testOnTerminal } from "./_terminal.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** Command lines that succeed: their input, and the pattern of their output. */
const VALID = [
  ["-- base64 encode --variant url", "subjects?", /^c3ViamVjdHM_\n$/],
  ["base64 decode", "aMOp\nbGxv\n", /^héllo$/],
  ["base64 decode --json", "aMOpbGxv", /^\{"result":"héllo"\}\n$/],
  ["base64 encode", "\ufeff", /^77u\/\n$/],
  ["hash sha256 - --", "abc", RegExp(`^${ABC}\n$`)],
  ["uuid --count 3", "", RegExp(`^(?:${UUID}\n){3}$`)],
  ["password --length 24 --no-symbols", "", /^[A-Za-z0-9]{24}\n$/],
  ["json minify", "\ufeff[ 1 ]", /^\[1\]\n$/],
] as const;

const HELP = "see --help for a list";

/** Command lines that fail: their input, exit status and line on standard error. */
const INVALID: readonly (readonly [
  line: string,
  input: BlobPart,
  code: number,
  log: string,
])[] = [
  [
    "base64 decode",
    "Zm9v!mFy",
    1,
    'standard input must be Base64, got "!" at offset 4',
  ],
  [
    "base64 decode",
    new Uint8Array([0xff, 0xfe, 0x5a, 0, 0x67, 0]),
    1,
    "standard input must be Base64, got UTF-16 text",
  ],
  ["json format", "[1 2]", 1, '-:1:4: expected "," or "]", got "2"'],
  ["uuidd", "", 2, 'unknown command "uuidd", did you mean "uuid"?'],
  ["md5", "", 2, 'unknown command "md5", see --help for a list'],
  [
    "hash -- sha256 - --json",
    "",
    2,
    'expected one FILE, got a second one: "--json" (see --help for a loop over files)',
  ],
  ["uuid 4", "", 2, `unexpected argument "4", ${HELP}`],
  ["json validate --check 1", "1", 2, `unknown option "--check", ${HELP}`],
  [
    "uuid --count -1",
    "",
    2,
    '--count must be an integer from 1 to 100, got "-1"',
  ],
];

Deno.test("a command prints only its result, with a newline unless it is decoded Base64, and exits with status 0", async (t) => {
  for (const [line, input, expected] of VALID) {
    await t.step(line, async () => {
      const { code, output, log } = await runLine(line, input);
      assertEquals([code, log], [0, ""]);
      assertMatch(output, expected);
    });
  }
});

Deno.test("a command that fails prints only one line, to standard error, and exits with status 1, or 2 for an invalid command line", async (t) => {
  for (const [line, input, code, log] of INVALID) {
    await t.step(`${line}: ${log}`, async () => {
      const expected = { code, output: "", log: `${log}\n` };
      assertEquals(await runLine(line, input), expected);
    });
  }
});

testOnPosix("a closed pipe ends a command silently", async () => {
  for (const command of ["uuid --count 100", "base64 encode < deno.lock"]) {
    // `exec` closes the output before the command writes to it.
    const { output, log } = await runScript(
      `{ devutils ${command}; echo $? >&2; } | exec true`,
    );
    assertEquals([output, log], ["", "0\n"]);
  }
});

testOnTerminal(
  "a command that reads from a terminal prints how to end the input",
  async (runOnTerminal) => {
    assertEquals(await runOnTerminal("devutils hash sha1", "\x04"), [
      "waiting for standard input (end it with Ctrl-D)",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "",
    ]);
  },
);

testOnPosix("SIGINT ends hash without a result or an error", async () => {
  const child = spawn([...PROGRAM, "hash", "sha256"]);
  const writer = child.stdin.getWriter();
  // More than a pipe holds: the command has started to hash.
  await within(writer.write(new Uint8Array(2_000_000)), "the command to read");
  child.kill("SIGINT");
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  );
  const { signal } = await within(child.status, "the end of the command");
  assertEquals([signal, output, errors], ["SIGINT", "", ""]);
  await writer.close().catch(() => {});
});
