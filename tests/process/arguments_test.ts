import { assertEquals, assertThrows } from "@std/assert";
import { readArguments, UsageError } from "../../lib/process/arguments.ts";

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
    ["serve", {}],
    ["serve --port 8080", { port: "8080" }],
    ["-- --port 8080", { port: "8080" }],
    ["-- mcp", { mcp: true }],
  ] as const;
  for (const [line, expected] of rows) {
    await t.step(line, () => {
      const args = line.split(" ").filter((word) => word !== "");
      assertEquals(readArguments(args), { ...EMPTY, ...expected });
    });
  }
});

Deno.test("readArguments() names the argument that does not parse", async (t) => {
  const port = "--port must be an integer from 0 to 65535, got";
  const once = "must be given once, got";
  const host = "--host must be an address to listen on, got nothing";
  const noPort = "mcp does not listen: leave out --port and --host";
  const rows = [
    ["--bogus", 'unknown argument "--bogus", type --help for a list'],
    ["--prot=1", 'unknown argument "--prot=1", did you mean "--port"?'],
    ["serve --hots", 'unknown argument "--hots", did you mean "--host"?'],
    ["extra", 'unknown argument "extra", type --help for a list'],
    ["-p", 'unknown argument "-p", type --help for a list'],
    ["--port=1 mcp", 'unknown argument "mcp", type --help for a list'],
    ["serve mcp", 'unknown argument "mcp", type --help for a list'],
    ["mcp mcp", 'unknown argument "mcp", type --help for a list'],
    ["--port=abc", `${port} "abc"`],
    ["--port=65536", `${port} "65536"`],
    ["--port=-1", `${port} "-1"`],
    ["--port", `${port} nothing`],
    ["--port --host=a", `${port} nothing`],
    ["--port=1 --port=2", `--port ${once} "1" and "2"`],
    ["--port=1 --port=1 --port=1", `--port ${once} "1" and "1" and "1"`],
    ["--host=a --host=b", `--host ${once} "a" and "b"`],
    ["--host=", host],
    ["--host", host],
    ["mcp --port=1", noPort],
    ["mcp --host a", noPort],
  ] as const;
  for (const [line, message] of rows) {
    await t.step(line, () => {
      const run = () => readArguments(line.split(" "));
      assertEquals(assertThrows(run, UsageError).message, message);
    });
  }
});
