import { assertEquals, assertThrows } from "@std/assert";
import { ExitError } from "../../lib/process/exit_error.ts";
import { formatValue } from "../../lib/format_value.ts";
import {
  MCP,
  readOptions,
  readSettings,
  SERVE,
} from "../../lib/process/settings.ts";

/** Reads the options of a command. */
function readLine(line: string, command = SERVE) {
  const words = line.split(" ").filter((word) => word !== "");
  return readOptions(words, command);
}

/** Reads the settings from options of `serve` and from environment variables. */
function read(line: string, variables: Record<string, string> = {}) {
  return readSettings(readLine(line), (name) => variables[name]);
}

Deno.test("readSettings() reads every variable, and defaults to the documented values", () => {
  const defaults = {
    port: 8000,
    host: "0.0.0.0",
    maxBodyBytes: 1_048_576,
    bodyTimeoutMs: 10_000,
    logRequests: false,
  };
  assertEquals(read(""), defaults);
  for (
    const [name, value, setting] of [
      ["PORT", "0", { port: 0 }],
      ["HOST", "[::1]", { host: "::1" }],
      ["MAX_BODY_BYTES", "16777216", { maxBodyBytes: 16_777_216 }],
      ["BODY_TIMEOUT_MS", "250", { bodyTimeoutMs: 250 }],
      ["LOG_REQUESTS", "1", { logRequests: true }],
    ] as const
  ) {
    assertEquals(read("", { [name]: value }), { ...defaults, ...setting });
  }
});

Deno.test("an empty variable is treated as not set", () => {
  const names = ["PORT", "HOST", "MAX_BODY_BYTES", "BODY_TIMEOUT_MS"];
  const empty = [...names, "LOG_REQUESTS"].map((name) => [name, ""]);
  assertEquals(read("", Object.fromEntries(empty)), read(""));
});

Deno.test("the options override the variables, with = or a space before the value", () => {
  for (
    const [line, port, host] of [
      ["--port 65535", 65535, "::1"],
      ["--host=a --port=0", 0, "a"],
    ] as const
  ) {
    const settings = read(line, { PORT: "1", HOST: "::1" });
    assertEquals([settings.port, settings.host], [port, host], line);
  }
});

Deno.test("an unknown or repeated argument, or a flag with a value, is named with the exit status 2", async (t) => {
  const list = "see --help for a list";
  const rows = [
    [SERVE, "--prot=1", `unknown option "--prot", ${list}`],
    [SERVE, "--port=1 mcp", `unexpected argument "mcp", ${list}`],
    [
      SERVE,
      "--port 1 --port=2",
      "--port must appear at most once, got 2 values",
    ],
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
  for (const host of ["[::1", "x[::1]", "a\nlistening on http://b", "\u202e"]) {
    const { message } = assertThrows(() => read("", { HOST: host }), ExitError);
    assertEquals(
      message,
      `HOST must be an address to listen on, got ${formatValue(host)}`,
    );
  }
});
