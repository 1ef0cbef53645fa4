import { assertEquals, assertThrows } from "@std/assert";
import {
  HELP,
  readArguments,
  UsageError,
} from "../../lib/process/arguments.ts";

const EMPTY = {
  mcp: false,
  port: undefined,
  host: undefined,
  help: false,
  version: false,
};

Deno.test("readArguments() reads every option, with = or a space before its value", async (t) => {
  const rows = [
    ["", {}],
    ["--port=8080", { port: "8080" }],
    ["--port 8080", { port: "8080" }],
    ["--port=0", { port: "0" }],
    ["--port=65535", { port: "65535" }],
    ["--host=::1", { host: "::1" }],
    ["--host 127.0.0.1", { host: "127.0.0.1" }],
    ["--host=a --port=1", { host: "a", port: "1" }],
    ["--help", { help: true }],
    ["-h", { help: true }],
    ["mcp", { mcp: true }],
    ["mcp -h", { mcp: true, help: true }],
    ["--version", { version: true }],
    ["--port=1 --help", { port: "1", help: true }],
  ] as const;
  for (const [line, expected] of rows) {
    await t.step(line, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assertEquals(readArguments(args), { ...EMPTY, ...expected });
    });
  }
});

Deno.test("readArguments() names the argument that does not parse", async (t) => {
  const rows = [
    [
      "--bogus",
      'unknown argument "--bogus", type --help for a list',
    ],
    ["extra", 'unknown argument "extra", type --help for a list'],
    ["-p", 'unknown argument "-p", type --help for a list'],
    ["--port=abc", '--port must be an integer from 0 to 65535, got "abc"'],
    ["--port=65536", '--port must be an integer from 0 to 65535, got "65536"'],
    ["--port=-1", '--port must be an integer from 0 to 65535, got "-1"'],
    ["--port", "--port must be an integer from 0 to 65535, got nothing"],
    [
      "--port --host=a",
      "--port must be an integer from 0 to 65535, got nothing",
    ],
    ["--port=1 --port=2", '--port must be given once, got "1" and "2"'],
    [
      "--port=1 --port=1 --port=1",
      '--port must be given once, got "1" and "1" and "1"',
    ],
    ["--host=", "--host must be an address to listen on, got nothing"],
    ["--host", "--host must be an address to listen on, got nothing"],
    ["--port=1 mcp", 'unknown argument "mcp", type --help for a list'],
    ["mcp mcp", 'unknown argument "mcp", type --help for a list'],
    ["mcp --port=1", "mcp does not listen: leave out --port and --host"],
    ["mcp --host a", "mcp does not listen: leave out --port and --host"],
    ["--host=a --host=b", '--host must be given once, got "a" and "b"'],
  ] as const;
  for (const [line, message] of rows) {
    await t.step(line, () => {
      const error = assertThrows(
        () => readArguments(line.split(" ")),
        UsageError,
      );
      assertEquals([error.name, error.message], ["UsageError", message]);
    });
  }
});

Deno.test("the help lists every option, variable and default", () => {
  assertEquals(
    HELP,
    `Developer Utilities Service: Base64, hashes, UUIDs, passwords and JSON over HTTP.

Usage: devutils [--port PORT] [--host ADDRESS]   serve over HTTP
       devutils mcp                              serve tools to a local agent (MCP),
                                                 over standard input and output

  --port PORT      TCP port, 0 for any free one  (PORT, default 8000)
  --host ADDRESS   address to listen on          (HOST, default 0.0.0.0)
  --version        print the version
  -h, --help       print this

Further settings are environment variables: MAX_BODY_BYTES, BODY_TIMEOUT_MS,
LOG_REQUESTS.
`,
  );
});
