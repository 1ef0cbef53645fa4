/** Standard input and output of commands and of `mcp`: failures and full pipes. */

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { PROGRAM } from "../terminal/_terminal.ts";
import {
  readVersion,
  run,
  spawn,
  testOnLinux,
  testOnPosix,
} from "../_server.ts";
import { within } from "../_within.ts";

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** Runs the program with a shell redirection, such as `> FILE`. */
function redirect(line: string, redirection: string, input = "") {
  const command = ["sh", "-c", `exec "$@" ${redirection}`, "sh", ...PROGRAM];
  return run([...command, ...line.split(" ")], { input });
}

testOnLinux(
  "a full disk is one line on standard error and the status 1",
  async () => {
    const log = "cannot write: no space left on device\n";
    const expected = { code: 1, output: "", log };
    for (const line of ["uuid", "serve --help", "mcp"]) {
      assertEquals(await redirect(line, "> /dev/full", PING), expected, line);
    }
  },
);

testOnPosix(
  "a folder as standard input is one line on standard error and the status 1",
  async () => {
    const log = "standard input is a directory\n";
    const expected = { code: 1, output: "", log };
    for (const line of ["hash sha256", "base64 encode", "mcp"]) {
      assertEquals(await redirect(line, "< /"), expected, line);
    }
  },
);

/**
 * Makes its standard output non-blocking, fills it with zeros, and replaces itself with a
 * command. The pause lets the reader fill its own buffer.
 */
const FULL = `
  fcntl(STDOUT, F_SETFL, O_NONBLOCK | fcntl(STDOUT, F_GETFL, 0)) or die;
  1 while syswrite(STDOUT, "\\0" x 4096);
  select(undef, undef, undef, 0.2);
  1 while syswrite(STDOUT, "\\0" x 4096);
  exec @ARGV;
`;

/** Time until the output is read, while the program finds it full, in milliseconds. */
const UNREAD_MS = 800;

/** Runs the program with a full output, reads it slowly, and returns it without the zeros. */
async function readSlowly(line: string, input: Uint8Array<ArrayBuffer>) {
  const command = ["-MFcntl", "-e", FULL, ...PROGRAM, ...line.split(" ")];
  const child = spawn(["perl", ...command]);
  const writing = new Blob([input]).stream().pipeTo(child.stdin)
    // The program can end before it has read everything.
    .catch(() => {});
  const errors = new Response(child.stderr).text();
  await delay(UNREAD_MS);
  const chunks: Uint8Array[] = [];
  async function read(): Promise<void> {
    for await (const chunk of child.stdout) {
      chunks.push(chunk);
      await delay(20);
    }
    await writing;
  }
  await within(read(), `the output of ${line}`);
  const { code } = await within(child.status, `the end of ${line}`);
  assertEquals([code, await errors], [0, ""]);
  const output = Buffer.concat(chunks);
  return output.subarray(output.findIndex((byte) => byte !== 0));
}

const hasPerl = Deno.build.os !== "windows" &&
  (await readVersion("perl")).includes("perl");

Deno.test({
  name: "a full pipe in non-blocking mode loses no bytes (needs Perl)",
  ignore: !hasPerl,
  async fn() {
    const bytes = randomBytes(300_000).fill("a", 0, 1);
    const base64 = Buffer.from(bytes.toString("base64"));
    const output = await readSlowly("base64 decode", base64);
    assert(output.equals(bytes), `${output.length} bytes`);
  },
});
