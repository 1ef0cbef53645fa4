import { assertEquals, assertThrows } from "@std/assert";
import { formatValue } from "../../lib/format_value.ts";
import { readSettings, SettingError } from "../../lib/process/settings.ts";

function read(variables: Record<string, string>) {
  return readSettings((name) => variables[name]);
}

Deno.test("readSettings() reads every variable, and defaults to the documented values", () => {
  assertEquals(read({}), {
    port: 8000,
    host: "0.0.0.0",
    maxBodyBytes: 1_048_576,
    bodyTimeoutMs: 10_000,
    logRequests: false,
  });
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
    ["PORT", "", "an integer from 0 to 65535"],
    ["PORT", "abc", "an integer from 0 to 65535"],
    ["PORT", "65536", "an integer from 0 to 65535"],
    ["PORT", "-1", "an integer from 0 to 65535"],
    ["HOST", "", "an address to listen on"],
    ["MAX_BODY_BYTES", "0", "an integer from 1 to 16777216"],
    ["MAX_BODY_BYTES", "1MB", "an integer from 1 to 16777216"],
    ["MAX_BODY_BYTES", "16777217", "an integer from 1 to 16777216"],
    ["BODY_TIMEOUT_MS", "0", "an integer from 1 to 2147483647"],
    ["BODY_TIMEOUT_MS", "2147483648", "an integer from 1 to 2147483647"],
    ["LOG_REQUESTS", "maybe", '"true" or "false"'],
  ] as const;
  for (const [name, value, valid] of rows) {
    await t.step(`${name}="${value}"`, () => {
      const error = assertThrows(() => read({ [name]: value }), SettingError);
      assertEquals(error.message, `${name} must be ${valid}, got "${value}"`);
    });
  }
});

Deno.test("HOST may be an IPv6 address with the brackets of a URL", () => {
  assertEquals(read({ HOST: "[::1]" }).host, "::1");
  assertEquals(read({ HOST: "::1" }).host, "::1");
  const invalid = ["[::1", "::1]", "x[::1]", "[::1]x", "[]", "[[::1]]"];
  const unprintable = ["a b", "a\nlistening on http://b", "\u202e"];
  for (const host of [...invalid, ...unprintable]) {
    const error = assertThrows(() => read({ HOST: host }), SettingError);
    assertEquals(
      error.message,
      `HOST must be an address to listen on, got ${formatValue(host)}`,
    );
  }
});
