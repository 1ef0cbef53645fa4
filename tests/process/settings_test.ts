import { assertEquals, assertThrows } from "@std/assert";
import { ExitError } from "../../lib/process/exit_error.ts";
import { formatValue } from "../../lib/format_value.ts";
import {
  MCP,
  readOptions,
  readSettings,
  SERVE,
} from "../../lib/process/settings.ts";

function readLine(line: string, command = SERVE) {
  const words = line.split(" ").filter((word) => word !== "");
  return readOptions(words, command);
}

function read(line: string, variables: Record<string, string> = {}) {
  return readSettings(readLine(line), (name) => variables[name]);
}

Deno.test("readSettings() reads every variable, and uses the documented default of an empty one", () => {
  const defaults = {
    port: 8000,
    host: "0.0.0.0",
    maxBodyBytes: 1_048_576,
    bodyTimeoutMs: 10_000,
    logRequests: false,
  };
  assertEquals(read(""), defaults);
  const variables = {
    PORT: "0",
    HOST: "[::1]",
    MAX_BODY_BYTES: "16777216",
    BODY_TIMEOUT_MS: "250",
    LOG_REQUESTS: "1",
  };
  assertEquals(read("", variables), {
    port: 0,
    host: "::1",
    maxBodyBytes: 16_777_216,
    bodyTimeoutMs: 250,
    logRequests: true,
  });
  const empty = Object.keys(variables).map((name) => [name, ""]);
  assertEquals(read("", Object.fromEntries(empty)), defaults);
});

Deno.test("the options override the variables, with = or a space before the value", () => {
  const { port, host } = read("--host=a --port 0", { PORT: "1", HOST: "::1" });
  assertEquals([port, host], [0, "a"]);
});

Deno.test("an unknown or repeated argument, or a flag with a value, is named with the exit status 2", async (t) => {
  const list = "see --help for a list";
  const once = "must appear at most once, got 2 values";
  const rows = [
    [SERVE, "--port=1 mcp", `unexpected argument "mcp", ${list}`],
    [SERVE, "--port 1 --port=2", `--port ${once}`],
    [SERVE, "--parallel=no", '--parallel must not have a value, got "no"'],
    [MCP, "--port=1", `unknown option "--port", ${list}`],
  ] as const;
  for (const [command, line, expected] of rows) {
    await t.step(expected, () => {
      const run = () => readLine(line, command);
      const { message, status } = assertThrows(run, ExitError);
      assertEquals([message, status], [expected, 2]);
    });
  }
});

Deno.test("an invalid setting is named, with the exit status 1 or, for an option, 2", async (t) => {
  const rows = [
    ["PORT", "65536", "an integer from 0 to 65535"],
    ["--host", "", "an address to listen on"],
    ["MAX_BODY_BYTES", "1MB", "an integer from 1 to 16777216"],
    ["BODY_TIMEOUT_MS", "2147483648", "an integer from 1 to 2147483647"],
    ["LOG_REQUESTS", "maybe", "true or false"],
  ] as const;
  for (const [name, value, valid] of rows) {
    await t.step(`${name}="${value}"`, () => {
      const isOption = name.startsWith("--");
      const run = () =>
        isOption ? read(`${name}=${value}`) : read("", { [name]: value });
      const { message, status } = assertThrows(run, ExitError);
      assertEquals(message, `${name} must be ${valid}, got "${value}"`);
      assertEquals(status, isOption ? 2 : 1);
    });
  }
});

Deno.test("HOST cannot forge a line of the log", () => {
  for (const host of ["[::1", "a\nlistening on http://b", "\u202e"]) {
    const { message } = assertThrows(() => read("", { HOST: host }), ExitError);
    const got = formatValue(host);
    assertEquals(message, `HOST must be an address to listen on, got ${got}`);
  }
});
