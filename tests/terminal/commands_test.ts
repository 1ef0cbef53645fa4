/** The commands as processes: output, errors and exit statuses. `_cases.ts` has more inputs. */

import { assertEquals, assertMatch } from "@std/assert";
import { UUID } from "../_examples.ts";
import { readVersion, run, testOnPosix } from "../_server.ts";
import { within } from "../_within.ts";
import { LINE, PROGRAM, runLine, runScript } from "./_terminal.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** Command lines that succeed: their input, and their output or its pattern. */
const RIGHT:
  readonly (readonly [line: string, input: string, output: string | RegExp])[] =
    [
      ["-- base64 encode --variant url", "subjects?", "c3ViamVjdHM_\n"],
      ["base64 decode", "aMOp\nbGxv\n", "héllo"],
      ["base64 decode --json", "aMOpbGxv", '{"result":"héllo"}\n'],
      ["hash -- sha256", "abc", `${ABC}\n`],
      ["hash sha256 - --", "abc", `${ABC}\n`],
      [`hash sha256 --check ${ABC.toUpperCase()}`, "abc", `${ABC}\n`],
      ["uuid --json", "", RegExp(`^{"uuid":"${UUID}"}\n$`)],
      ["uuid --count 3", "", RegExp(`^(?:${UUID}\n){3}$`)],
      [
        "password --length 24 --no-symbols --no-ambiguous",
        "",
        /^[A-Za-z0-9]{24}\n$/,
      ],
      ["json minify", "\ufeff[ 1 ]", "[1]\n"],
      ["hash sha1 -", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d\n"],
      ["base64 encode", "\ufeff", "77u/\n"],
    ];

const UNKNOWN = "see --help for a list";
const SEVERAL = "(see --help for a loop over files)";

/** Command lines that fail: their input, exit status and line on standard error. */
const WRONG: readonly (readonly [
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
  [
    `hash sha256 --check ${ABC}`,
    "abd",
    1,
    `standard input must have the digest ${ABC}, got a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9`,
  ],
  [
    "json format",
    "[1 2]",
    1,
    '-:1:4: expected "," or "]", got "2"',
  ],
  [
    "json validate",
    "\ufeff\ufeff1",
    1,
    "-:1:1: expected a JSON value, got U+FEFF",
  ],
  ["uuidd", "", 2, 'unknown command "uuidd", did you mean "uuid"?'],
  ["encode", "", 2, `unknown command "encode", ${UNKNOWN}`],
  [
    "hash sha1 a sha256",
    "",
    2,
    `expected one FILE, got a second one: "sha256" ${SEVERAL}`,
  ],
  [
    "hash sha1 --check 12",
    "",
    2,
    '--check must have a SHA-1 digest, got "12"',
  ],
  [
    `hash sha1 --check ${ABC}`,
    "",
    2,
    "--check must have a SHA-1 digest, got one of sha256: use hash sha256",
  ],
  [
    "hash -- sha256 - --json",
    "",
    2,
    `expected one FILE, got a second one: "--json" ${SEVERAL}`,
  ],
  ["uuid 4", "", 2, `unexpected argument "4", ${UNKNOWN}`],
  [
    "base64 encode --variant ulr",
    "",
    2,
    '--variant must be "standard" or "url", got "ulr"',
  ],
  ["json validate --check 1", "1", 2, `unknown option "--check", ${UNKNOWN}`],
  [
    "uuid --count -1",
    "",
    2,
    '--count must be an integer from 1 to 100, got "-1"',
  ],
  [
    "uuid --count 1 --count 2",
    "",
    2,
    "--count must appear at most once, got 2 values",
  ],
  [
    "password --symbols=maybe",
    "",
    2,
    '--symbols takes no value, got "maybe"',
  ],
  [
    "password --no-uppercase --no-lowercase --no-numbers --no-symbols",
    "",
    2,
    "at least one of --uppercase, --lowercase, --numbers or --symbols must be true, got false for all",
  ],
];

Deno.test("a command prints its result alone, with a line feed unless it is bytes, and exits with 0", async (t) => {
  for (const [line, input, expected] of RIGHT) {
    await t.step(line, async () => {
      const { code, output, log } = await runLine(line, input);
      assertEquals([code, log], [0, ""]);
      if (typeof expected === "string") assertEquals(output, expected);
      else assertMatch(output, expected);
    });
  }
});

Deno.test("a command that fails prints one line to standard error alone, and exits with 1 or, for a wrong command line, 2", async (t) => {
  for (const [line, input, code, log] of WRONG) {
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

const hasScript = (await readVersion("script")).includes("util-linux");

/** Runs a script of a shell on a terminal, and returns the lines of the terminal. */
async function runOnTerminal(script: string, input = ""): Promise<string[]> {
  const command = `devutils() { ${LINE} "$@"; }; ${script}`;
  const { output } = await run(
    ["script", "--quiet", "--command", command, "/dev/null"],
    { input },
  );
  return output.replace("^D\b\b", "").split("\r\n");
}

Deno.test({
  name: "a command that reads from a terminal says so (needs util-linux)",
  ignore: !hasScript,
  async fn() {
    assertEquals(await runOnTerminal("devutils hash sha1", "\x04"), [
      "waiting for standard input (end it with Ctrl-D)",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "",
    ]);
  },
});

Deno.test({
  name:
    "hash shows its progress on a terminal after a second, and clears it (needs util-linux)",
  ignore: !hasScript,
  async fn() {
    const zeros = "head --bytes=2000000 /dev/zero";
    const [line] = await runOnTerminal(
      `{ ${zeros}; sleep 1.2; ${zeros}; } | devutils hash sha1`,
    );
    const digest = "cfe78845826845c0f76837eafdd964b8dc2ab337";
    assertMatch(
      line!.replaceAll("\r\x1b[K", "<clear>"),
      RegExp(`^(?:<clear>hashed \\d MB)+<clear>${digest}$`),
    );
  },
});

testOnPosix("SIGINT ends hash without a result or an error", async () => {
  const [command, ...args] = [...PROGRAM, "hash", "sha256"];
  const child = new Deno.Command(command!, {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
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
