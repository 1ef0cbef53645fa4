/** The commands as processes: output, errors and exit statuses. */

import { assertEquals, assertMatch } from "@std/assert";
import { runLine } from "./_terminal.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const UUID =
  "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** Command lines that succeed: their input, and their output or its pattern. */
const RIGHT:
  readonly (readonly [line: string, input: string, output: string | RegExp])[] =
    [
      ["base64 encode", "héllo", "aMOpbGxv\n"],
      ["base64 encode --variant url", "subjects?", "c3ViamVjdHM_\n"],
      ["base64 encode --variant=standard", "subjects?", "c3ViamVjdHM/\n"],
      ["-- base64 encode", "", "\n"],
      ["base64 decode", "aMOp\nbGxv\n", "héllo"],
      ["base64 decode", "c3ViamVjdHM_", "subjects?"],
      ["base64 decode --json", "aMOpbGxv", '{"result":"héllo"}\n'],
      ["hash sha256", "abc", `${ABC}\n`],
      ["hash -- sha256", "abc", `${ABC}\n`],
      [
        "hash sha1 --json",
        "abc",
        '{"result":"a9993e364706816aba3e25717850c26c9cd0d89d","algorithm":"sha1"}\n',
      ],
      [`hash sha256 --check ${ABC.toUpperCase()}`, "abc", `${ABC}\n`],
      ["uuid", "", RegExp(`^${UUID}\n$`)],
      ["uuid --json", "", RegExp(`^{"uuid":"${UUID}"}\n$`)],
      ["uuid --count 3", "", RegExp(`^(?:${UUID}\n){3}$`)],
      ["uuid --count=1 --json", "", RegExp(`^{"uuids":\\["${UUID}"\\]}\n$`)],
      ["password", "", /^[!-~]{16}\n$/],
      [
        "password --length 24 --no-symbols --no-ambiguous",
        "",
        /^[A-Za-z0-9]{24}\n$/,
      ],
      [
        "password --no-uppercase --no-lowercase --no-symbols --numbers",
        "",
        /^[0-9]{16}\n$/,
      ],
      [
        "password --json",
        "",
        /^{"password":"[!-~]{16}","strength":"very-strong"}\n$/,
      ],
      ["json format", '{"b":1.0,"a":[]}', '{\n  "b": 1.0,\n  "a": []\n}\n'],
      ["json format --indent 4", "[1e400]\n", "[\n    1e400\n]\n"],
      ["json minify", "[ 12345678901234567890 ]", "[12345678901234567890]\n"],
      ["json validate", "[1]", "valid JSON\n"],
      ["json validate --json", "[1]", '{"result":"valid JSON","valid":true}\n'],
    ];

/** Command lines that fail: their input, exit status and line on standard error. */
const WRONG: readonly (readonly [
  line: string,
  input: string | Blob,
  code: number,
  log: string,
])[] = [
  [
    "base64 decode",
    "Zm9v!mFy",
    1,
    'standard input must be Base64 text, got "!" at offset 4',
  ],
  [
    "base64 decode --json",
    "/w==",
    1,
    "standard input must encode UTF-8 text, got bytes that are not UTF-8 text",
  ],
  [
    `hash sha256 --check ${ABC}`,
    "abd",
    1,
    "the result is not the one of --check, but a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9",
  ],
  [
    "json format",
    "[1 2]",
    1,
    'standard input must be JSON: expected "," or "]", got "2" at line 1, column 4',
  ],
  [
    "json minify",
    new Blob([new Uint8Array([0x22, 0xff, 0x22])]),
    1,
    "standard input must be UTF-8",
  ],
  [
    "json validate",
    "\ufeff1",
    1,
    "expected a JSON value, got U+FEFF at line 1, column 1",
  ],
  ["hsah sha256", "", 2, 'unknown command "hsah", type --help for a list'],
  [
    "frobnicate",
    "",
    2,
    'unknown command "frobnicate", type --help for a list',
  ],
  ["seve", "", 2, 'unknown command "seve", type --help for a list'],
  [
    "hash md5",
    "",
    2,
    'ALGORITHM must be "sha1", "sha256" or "sha512", got "md5"',
  ],
  [
    "hash SHA256",
    "",
    2,
    'ALGORITHM must be "sha1", "sha256" or "sha512", got "SHA256"',
  ],
  [
    "hash",
    "",
    2,
    'ALGORITHM must be "sha1", "sha256" or "sha512", got nothing',
  ],
  [
    "hash sha1 sha256",
    "",
    2,
    'unknown word "sha256", type --help for a list',
  ],
  ["hash sha1 --check 12", "", 2, '--check must be a result, got "12"'],
  [
    "hash -- sha256 --json",
    "",
    2,
    'unknown word "--json", type --help for a list',
  ],
  [
    "base64 encode --variant ulr",
    "",
    2,
    '--variant must be "standard" or "url", got "ulr"',
  ],
  [
    "json fromat",
    "",
    2,
    'ACTION must be "format", "minify" or "validate", got "fromat"',
  ],
  ["json format --indent 3", "1", 2, '--indent must be 2 or 4, got "3"'],
  ["json format --indent two", "1", 2, '--indent must be 2 or 4, got "two"'],
  [
    "json validate --check 1",
    "1",
    2,
    'unknown option "--check", type --help for a list',
  ],
  [
    "uuid --count 101",
    "",
    2,
    '--count must be an integer from 1 to 100, got "101"',
  ],
  [
    "uuid --count count",
    "",
    2,
    '--count must be an integer from 1 to 100, got "count"',
  ],
  [
    "uuid --count -1",
    "",
    2,
    'unknown option "-1", type --help for a list',
  ],
  ["uuid --count", "", 2, '--count must be an integer from 1 to 100, got ""'],
  [
    "uuid --cuont=3",
    "",
    2,
    'unknown option "--cuont", type --help for a list',
  ],
  [
    "uuid --count 1 --count 2",
    "",
    2,
    "--count must be given at most once, got it 2 times",
  ],
  ["uuid 3", "", 2, 'unknown word "3", type --help for a list'],
  [
    "uuid --output x",
    "",
    2,
    'unknown option "--output", type --help for a list',
  ],
  [
    "password --symbols=maybe",
    "",
    2,
    '--symbols takes no value, got "maybe"',
  ],
  [
    "password --symbols --no-symbols",
    "",
    2,
    "--symbols must be given at most once, got it 2 times",
  ],
  [
    "password --no-uppercase --no-lowercase --no-numbers --no-symbols",
    "",
    2,
    "one of --uppercase, --lowercase, --numbers and --symbols must be true, got false for all",
  ],
  [
    "password --length 0 --json",
    "",
    2,
    '--length must be an integer from 1 to 128, got "0"',
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
