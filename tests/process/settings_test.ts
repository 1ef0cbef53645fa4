import { assertEquals, assertThrows } from "@std/assert";
import {
  Environment,
  readSettings,
  SettingError,
} from "../../lib/process/settings.ts";

function read(variables: Record<string, string>) {
  return readSettings((name) => variables[name]);
}

Deno.test("readSettings() defaults to the documented values", () => {
  assertEquals(read({}), {
    port: 8000,
    host: "0.0.0.0",
    maxBodyBytes: 1_048_576,
    bodyTimeoutMs: 10_000,
    logRequests: false,
  });
});

Deno.test("readSettings() reads every variable", () => {
  const variables = {
    PORT: "0",
    HOST: "127.0.0.1",
    MAX_BODY_BYTES: "1",
    BODY_TIMEOUT_MS: "250",
    LOG_REQUESTS: "1",
  };
  assertEquals(read(variables), {
    port: 0,
    host: "127.0.0.1",
    maxBodyBytes: 1,
    bodyTimeoutMs: 250,
    logRequests: true,
  });
});

Deno.test("readSettings() names the variable that does not parse", async (t) => {
  const rows = [
    ["PORT", "", 'PORT must be an integer from 0 to 65535, got ""'],
    ["PORT", "abc", 'PORT must be an integer from 0 to 65535, got "abc"'],
    ["PORT", "65536", 'PORT must be an integer from 0 to 65535, got "65536"'],
    ["PORT", "-1", 'PORT must be an integer from 0 to 65535, got "-1"'],
    ["HOST", "", 'HOST must be an address to listen on, got ""'],
    [
      "MAX_BODY_BYTES",
      "0",
      'MAX_BODY_BYTES must be an integer from 1 to 16777216, got "0"',
    ],
    [
      "MAX_BODY_BYTES",
      "1MB",
      'MAX_BODY_BYTES must be an integer from 1 to 16777216, got "1MB"',
    ],
    [
      "BODY_TIMEOUT_MS",
      "2147483648",
      'BODY_TIMEOUT_MS must be an integer from 1 to 2147483647, got "2147483648"',
    ],
    [
      "LOG_REQUESTS",
      "maybe",
      'LOG_REQUESTS must be "true" or "false", got "maybe"',
    ],
  ] as const;
  for (const [name, value, message] of rows) {
    await t.step(`${name}="${value}"`, () => {
      const error = assertThrows(() => read({ [name]: value }), SettingError);
      assertEquals(error.message, message);
      assertEquals(error.name, "SettingError");
    });
  }
});

Deno.test("readSettings() accepts an IPv6 address with the brackets of a URL", () => {
  for (
    const [text, host] of [
      ["[::1]", "::1"],
      ["::1", "::1"],
      // Values that are no address are not corrected.
      ["[::1", "[::1"],
      ["::1]", "::1]"],
      ["x[::1]", "x[::1]"],
      ["[::1]x", "[::1]x"],
      ["[]", "[]"],
    ] as const
  ) {
    assertEquals(read({ HOST: text }).host, host);
  }
});

Deno.test({
  name:
    "Environment.read() returns undefined without permission, and records the name",
  permissions: { env: false },
  fn() {
    const environment = new Environment();
    for (const name of ["HOST", "PORT"]) {
      assertEquals(environment.read(name), undefined);
    }
    assertEquals(environment.unreadable, ["HOST", "PORT"]);
  },
});

Deno.test("Environment.read() throws for an invalid name", () => {
  const environment = new Environment();
  assertThrows(() => environment.read("A=B"), TypeError);
  assertEquals(environment.unreadable, []);
});
