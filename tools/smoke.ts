/**
 * Tests a command that starts the service, such as a binary or `deno task start`:
 * version, a response of each endpoint, graceful shutdown, and MCP over standard
 * input and output.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the report is the output

import config from "../deno.json" with { type: "json" };

/** Requests, each with a part of the expected response body. */
const EXCHANGES: readonly (readonly [string, object | undefined, string])[] = [
  ["/api/base64", { action: "encode", input: "a" }, '{"result":"YQ=="}'],
  [
    "/api/hash",
    { algorithm: "sha1", input: "abc" },
    '"a9993e364706816aba3e25717850c26c9cd0d89d"',
  ],
  ["/api/json", { action: "minify", input: "[ 1.0 ]" }, '"[1.0]"'],
  ["/api/uuid", undefined, '{"uuid":"'],
  ["/api/password", undefined, '"strength":"very-strong"'],
  ["/healthz", undefined, '{"status":"ok"}'],
  ["/openapi.json", undefined, '"openapi":'],
  ["/", undefined, "<!DOCTYPE html>"],
  ["/style.css", undefined, "{"],
  ["/page.js", undefined, "function"],
];

/**
 * Starts a command on a free port of the loopback interface and tests it.
 *
 * @throws {Error} for the first test that fails.
 */
export async function runSmokeTest(
  [command, ...args]: readonly string[],
): Promise<void> {
  const { stdout } = await new Deno.Command(command!, {
    args: [...args, "--version"],
    stdin: "null",
    stderr: "inherit",
  }).output();
  const version = new TextDecoder().decode(stdout).trim();
  if (version !== config.version) {
    throw new Error(`--version says "${version}", not "${config.version}"`);
  }
  const child = new Deno.Command(command!, {
    args,
    env: { PORT: "0", HOST: "127.0.0.1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let log = "";
  async function waitFor(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(log);
      if (match) return match[1]!;
      const { done, value } = await lines.read();
      if (done) throw new Error(`it ended after: ${log}`);
      log += value;
    }
  }
  try {
    await tryEndpoints(await waitFor(/listening on (\S+)\n/));
  } finally {
    // On Windows, this kills the process: it has no SIGTERM.
    child.kill("SIGTERM");
  }
  const { code } = await child.status;
  if (Deno.build.os !== "windows") {
    await waitFor(/(stopped)\n/);
    if (code !== 0) throw new Error(`it ended with status ${code}`);
  }
  await lines.cancel();
  await tryAgent([command!, ...args, "mcp"]);
}

/** Requests the list of tools over standard input and output. */
async function tryAgent([command, ...args]: readonly string[]): Promise<void> {
  const child = new Deno.Command(command!, {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
  await writer.write(new TextEncoder().encode(message));
  // The process answers, and ends at the end of its input.
  await writer.close();
  const { code, stdout } = await child.output();
  const answer = new TextDecoder().decode(stdout);
  if (code === 0 && answer.includes('"convertBase64"')) return;
  throw new Error(`mcp ended with status ${code} after: ${answer}`);
}

async function tryEndpoints(origin: string): Promise<void> {
  for (const [path, fields, part] of EXCHANGES) {
    const init = fields && { method: "POST", body: JSON.stringify(fields) };
    const response = await fetch(origin + path, init);
    const text = await response.text();
    if (response.status === 200 && text.includes(part)) continue;
    const answer = `${response.status} ${text.slice(0, 200)}`;
    throw new Error(`${path} answers ${answer}, without ${part}`);
  }
}

if (import.meta.main) {
  await runSmokeTest(Deno.args);
  console.log(`${Deno.args.join(" ")} serves and stops`);
}
