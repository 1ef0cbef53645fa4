import { assertEquals, assertThrows } from "@std/assert";
import {
  HELP,
  readArguments,
  UsageError,
} from "../../lib/process/arguments.ts";

const NOTHING = {
  port: undefined,
  host: undefined,
  help: false,
  version: false,
};

Deno.test("readArguments() reads every argument, in both ways to write it", async (t) => {
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
    ["--version", { version: true }],
    ["--port=1 --help", { port: "1", help: true }],
  ] as const;
  for (const [line, expected] of rows) {
    await t.step(line, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assertEquals(readArguments(args), { ...NOTHING, ...expected });
    });
  }
});

Deno.test("readArguments() says what is wrong with a command line", async (t) => {
  const rows = [
    [
      "--bogus",
      'unknown argument "--bogus", type --help to see those there are',
    ],
    ["extra", 'unknown argument "extra", type --help to see those there are'],
    ["-p", 'unknown argument "-p", type --help to see those there are'],
    ["--port=abc", '--port must be an integer from 0 to 65535, got "abc"'],
    ["--port=65536", '--port must be an integer from 0 to 65535, got "65536"'],
    ["--port=-1", '--port must be an integer from 0 to 65535, got "-1"'],
    ["--port", '--port must be an integer from 0 to 65535, got ""'],
    ["--port=1 --port=2", '--port must be given once, got "1" and "2"'],
    [
      "--port=1 --port=1 --port=1",
      '--port must be given once, got "1" and "1" and "1"',
    ],
    ["--host=", '--host must be an address to listen on, got ""'],
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

Deno.test("the help names every argument, every variable and the defaults", () => {
  assertEquals(
    HELP,
    `Developer Utilities Service: Base64, hashes, UUIDs, passwords and JSON over HTTP.

Usage: devutils [--port PORT] [--host ADDRESS]

  --port PORT      TCP port, 0 for any free one  (PORT, default 8000)
  --host ADDRESS   address to listen on          (HOST, default 0.0.0.0)
  --version        print the version
  --help           print this

Further settings are environment variables: MAX_BODY_BYTES, BODY_TIMEOUT_MS,
LOG_REQUESTS.
`,
  );
});
