import { assertEquals, assertThrows } from "@std/assert";
import { ExitError } from "../../lib/system/exit_error.ts";
import { formatValue } from "../../lib/values/format_value.ts";
import {
  MCP_OPTIONS,
  readOptions,
  readSettings,
  SERVE_OPTIONS,
} from "../../lib/process/settings.ts";

const OPTIONS = { serve: SERVE_OPTIONS, mcp: MCP_OPTIONS };

/** Reads the options of a command. */
function readLine(line: string, command: "serve" | "mcp" = "serve") {
  const words = line.split(" ").filter((word) => word !== "");
  return readOptions(words, OPTIONS[command]);
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
      ["HOST", "::1", { host: "::1" }],
      ["MAX_BODY_BYTES", "16777216", { maxBodyBytes: 16_777_216 }],
      ["BODY_TIMEOUT_MS", "250", { bodyTimeoutMs: 250 }],
      ["LOG_REQUESTS", "1", { logRequests: true }],
    ] as const
  ) {
    assertEquals(read("", { [name]: value }), { ...defaults, ...setting });
  }
});

Deno.test("an empty variable counts as not set", () => {
  const names = ["PORT", "HOST", "MAX_BODY_BYTES", "BODY_TIMEOUT_MS"];
  const empty = [...names, "LOG_REQUESTS"].map((name) => [name, ""]);
  assertEquals(read("", Object.fromEntries(empty)), read(""));
});

Deno.test("the options override the variables, with = or a space before the value", () => {
  for (
    const [line, port, host] of [
      ["--port 65535", 65535, "::1"],
      ["--host 127.0.0.1", 1, "127.0.0.1"],
      ["--host=a --port=0", 0, "a"],
    ] as const
  ) {
    const settings = read(line, { PORT: "1", HOST: "::1" });
    assertEquals([settings.port, settings.host], [port, host], line);
  }
});

Deno.test("an unknown argument is named, with the exit status 2", async (t) => {
  for (
    const [command, line, argument] of [
      ["serve", "--bogus", "--bogus"],
      ["serve", "--prot=1", "--prot=1"],
      ["serve", "--port=1 mcp", "mcp"],
      ["serve", "-p", "-p"],
      ["serve", "--parallel false", "false"],
      ["mcp", "mcp", "mcp"],
      ["mcp", "--port=1", "--port=1"],
      ["mcp", "--parallel", "--parallel"],
      ["mcp", "--version true", "true"],
    ] as const
  ) {
    await t.step(`${command} ${line}`, () => {
      const run = () => readLine(line, command);
      const { message, status } = assertThrows(run, ExitError);
      const expected = `unknown argument "${argument}", type --help for a list`;
      assertEquals([message, status], [expected, 2]);
    });
  }
});

Deno.test("a repeated option, or a switch with a value, is named with the exit status 2", async (t) => {
  const rows = [
    [
      "serve",
      "--port 1 --port 2",
      "--port must be given at most once, got it 2 times",
    ],
    [
      "serve",
      "--host=a --host a",
      "--host must be given at most once, got it 2 times",
    ],
    [
      "serve",
      "--parallel --parallel",
      "--parallel must be given at most once, got it 2 times",
    ],
    ["serve", "--parallel=no", '--parallel takes no value, got "no"'],
    ["mcp", "--version=1", '--version takes no value, got "1"'],
  ] as const;
  for (const [command, line, expected] of rows) {
    await t.step(`${command} ${line}`, () => {
      const run = () => readLine(line, command);
      const { message, status } = assertThrows(run, ExitError);
      assertEquals([message, status], [expected, 2]);
    });
  }
});

Deno.test("a setting that does not parse is named, with the exit status 1 or, for an option, 2", async (t) => {
  const rows = [
    ["PORT", "65536", "an integer from 0 to 65535"],
    ["PORT", "-1", "an integer from 0 to 65535"],
    ["--port", "65536", "an integer from 0 to 65535"],
    ["--host", "", "an address to listen on"],
    ["MAX_BODY_BYTES", "0", "an integer from 1 to 16777216"],
    ["MAX_BODY_BYTES", "1MB", "an integer from 1 to 16777216"],
    ["MAX_BODY_BYTES", "16777217", "an integer from 1 to 16777216"],
    ["BODY_TIMEOUT_MS", "0", "an integer from 1 to 2147483647"],
    ["BODY_TIMEOUT_MS", "2147483648", "an integer from 1 to 2147483647"],
    ["LOG_REQUESTS", "maybe", '"true" or "false"'],
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

Deno.test("HOST is nothing that forges a line of the log", () => {
  const invalid = ["[::1", "::1]", "x[::1]", "[::1]x", "[]", "[[::1]]"];
  const unprintable = ["a b", "a\nlistening on http://b", "\u202e"];
  for (const host of [...invalid, ...unprintable]) {
    const { message } = assertThrows(() => read("", { HOST: host }), ExitError);
    assertEquals(
      message,
      `HOST must be an address to listen on, got ${formatValue(host)}`,
    );
  }
});
