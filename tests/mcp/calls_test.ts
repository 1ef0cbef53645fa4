/** Tool calls over HTTP and stdio: arguments and results. */

import { assertEquals, assertMatch } from "@std/assert";
import { MAX_TOOL_RESULT_BYTES } from "../../lib/mcp/tools.ts";
import { post } from "../_client.ts";
import { captureLog, replace } from "../_replace.ts";
import { callTool, createToolError, TRANSPORTS } from "./_agent.ts";

/** Creates an object with properties of these names. */
function toArguments(names: readonly string[]): object {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`)}}`);
}

const UUIDS = 'the argument of generateUuids is "count"';
const COUNT = '"count" must be an integer from 1 to 100, got';

/** Arguments that clients add to every call. */
const ADDED = {
  // n8n.
  toolCallId: "call_1",
  tool: { name: "convertBase64" },
  sessionId: null,
  // Gemini CLI.
  wait_for_previous: true,
};

/** Rejected calls and their errors. `_cases.ts` has the errors that all interfaces share. */
const REJECTED: readonly (readonly [string, object, text: string])[] = [
  [
    "processJson",
    { action: "format", input: "{}", sortKeys: true },
    'unknown argument "sortKeys": the arguments of processJson are "action", "input", "indent"',
  ],
  // Names of properties of every object, and of messages.
  [
    "generateUuids",
    toArguments(["constructor", "name"]),
    `unknown arguments "constructor", "name": ${UUIDS}`,
  ],
  // A million bytes of names that collide in hash tables.
  [
    "generateUuids",
    toArguments(
      Array.from({ length: 70_000 }, (_, i) => `${16_384 * (i + 62)}`),
    ),
    `unknown arguments "1015808", "1032192", "1048576" and at least 2 more: ${UUIDS}`,
  ],
  // An unknown argument after the ones that clients add, in a large message.
  [
    "generateUuids",
    { ...ADDED, toolCallId: "x".repeat(100_000), version: 7 },
    `unknown argument "version": ${UUIDS}`,
  ],
  ["generateUuids", { count: "10" }, `${COUNT} "10"`],
  [
    "generatePassword",
    { symbols: "true" },
    '"symbols" must be true or false, got "true"',
  ],
  [
    "processJson",
    { action: null, input: "[]" },
    '"action" must be "format", "minify" or "validate", got null',
  ],
];

/** Creates arguments that are shorter than their result, with the length of the result. */
function createArguments(byteLength: number) {
  const numbers = Array(100_000).fill(0);
  const measure = (text: string) => {
    const result = JSON.stringify([...numbers, text], null, 2);
    return JSON.stringify({ result, valid: true }).length;
  };
  const text = "x".repeat(byteLength - measure(""));
  return { action: "format", input: JSON.stringify([...numbers, text]) };
}

for (const [transport, exchange] of TRANSPORTS) {
  Deno.test(`a call that is rejected returns an error for the model, ${transport}`, async (t) => {
    for (const [name, args, text] of REJECTED) {
      await t.step(text.slice(0, 60), async () => {
        const { result } = await exchange(callTool(name, args));
        assertEquals(result, createToolError(text));
      });
    }
  });

  Deno.test(`arguments that clients add to every call are ignored, ${transport}`, async () => {
    for (const toolCallId of ["a", "x".repeat(100_000)]) {
      const args = { ...ADDED, toolCallId, action: "encode", input: "a" };
      const { result } = await exchange(callTool("convertBase64", args));
      assertEquals(result.structuredContent, { result: "YQ==" });
    }
  });

  Deno.test(`a result of 1 MiB is returned, a larger one is an error that states its size and the HTTP endpoint, ${transport}`, async () => {
    const args = createArguments(MAX_TOOL_RESULT_BYTES);
    const { result } = await exchange(callTool("processJson", args));
    const [{ text }] = result.content;
    assertEquals(text.length, MAX_TOOL_RESULT_BYTES);
    assertEquals(JSON.parse(text), result.structuredContent);
    assertEquals(
      result.structuredContent,
      (await post("/api/json", args)).body,
    );
    const larger = createArguments(MAX_TOOL_RESULT_BYTES + 1);
    assertEquals(
      (await exchange(callTool("processJson", larger))).result,
      createToolError(
        "the result must be at most 1048576 bytes, got 1048577: for larger results, use POST /api/json over HTTP",
      ),
    );
  });

  Deno.test(`a result that would be too large is rejected by its size before it is built, ${transport}`, async () => {
    const input = "[".repeat(100_000) + "]".repeat(100_000);
    const args = { action: "format", input, indent: 4 };
    assertEquals(
      (await exchange(callTool("processJson", args))).result,
      createToolError(
        "the result must be at most 1048576 bytes, got 39999600002: for larger results, use POST /api/json over HTTP",
      ),
    );
  });

  Deno.test(`an unexpected failure is an internal error whose details are only logged, ${transport}`, async () => {
    using log = captureLog();
    using _ = replace(crypto.subtle, {
      digest() {
        throw new Error("the secret");
      },
    });
    const call = callTool("hashText", { algorithm: "sha1", input: "" });
    const { result } = await exchange(call);
    assertEquals(result, createToolError("internal error"));
    assertEquals(log.lines.length, 1);
    assertMatch(log.lines[0]![1], /^unexpected error: Error: the secret /);
  });
}
