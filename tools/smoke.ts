/**
 * Tests a command that starts the service, such as a binary or `deno task start`: its version,
 * every endpoint, and its shutdown on a signal. For a binary, also tests its MCP server.
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { ENDPOINTS } from "../tests/_endpoints.ts";
import { fetchWithin, within } from "../tests/_within.ts";

/**
 * Starts a command on a free port of the loopback interface and tests it.
 *
 * @throws {Error} for the first test that fails.
 */
export async function testProgram(command: readonly string[]): Promise<void> {
  const version = await run([...command, "--version"]);
  check("--version", version === `${config.version}\n`, version);
  if (command.length === 1) {
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
    const tools = await run([...command, "mcp"], list);
    check("mcp", tools.includes('"convertBase64"'), tools);
  }
  const child = spawn(command);
  const log = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    await testEndpoints(await readOrigin(log));
  } finally {
    // On Windows, which doesn't have SIGTERM, this kills the process.
    child.kill("SIGTERM");
  }
  const { code } = await within(readEnd(log, child), "the exit after a signal");
  check(
    "the exit status",
    code === 0 || Deno.build.os === "windows",
    `status ${code}`,
  );
}

/** Reads the log to its end, and returns the exit status. */
async function readEnd(
  log: ReadableStreamDefaultReader<string>,
  child: Deno.ChildProcess,
): Promise<Deno.CommandStatus> {
  while (!(await log.read()).done);
  return await child.status;
}

/** Reads the log until it contains the URL of the service, and returns the URL. */
async function readOrigin(
  log: ReadableStreamDefaultReader<string>,
): Promise<string> {
  for (let received = "";;) {
    const { value } = await within(log.read(), `a URL after: ${received}`);
    check("the log", value !== undefined, received);
    received += value;
    const origin = /listening on (\S+)\n/.exec(received)?.[1];
    if (origin !== undefined) return origin;
  }
}

function spawn([command, ...args]: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(command!, {
    args,
    env: { PORT: "0", HOST: "127.0.0.1", NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** Runs a command until it exits, and returns its output. */
async function run(command: readonly string[], input = ""): Promise<string> {
  const child = spawn(command);
  const line = command.join(" ");
  const running = Promise.all([
    child.output(),
    ReadableStream.from([new TextEncoder().encode(input)]).pipeTo(child.stdin),
  ]);
  const [{ code, stdout }] = await within(running, `the exit of ${line}`)
    .catch((error) => {
      child.kill("SIGKILL");
      throw error;
    });
  const output = new TextDecoder().decode(stdout);
  check(line, code === 0, `status ${code} after: ${output}`);
  return output;
}

async function testEndpoints(origin: string): Promise<void> {
  for (const { path, fields, part } of ENDPOINTS) {
    const init = fields && { method: "POST", body: JSON.stringify(fields) };
    const response = await fetchWithin(origin + path, init ?? {});
    const text = await response.text();
    const isExpected = response.status === 200 && text.includes(part);
    check(path, isExpected, `${response.status} ${text.slice(0, 200)}`);
  }
}

function check(name: string, isExpected: boolean, found: string): void {
  if (!isExpected) throw new Error(`unexpected result of ${name}: ${found}`);
}

if (import.meta.main) await testProgram(Deno.args);
