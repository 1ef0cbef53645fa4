/** The API reference of an operation whose strings contain special characters. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { BASE_URL, renderSections } from "../../lib/http/reference.ts";
import { defineOperation } from "../../lib/operation/operation.ts";
import { string } from "../../lib/operation/parameters.ts";
import { readCalls } from "../_docs.ts";
import { run, testOnPosix } from "../_server.ts";

const SPECIAL = "'\"<b>&amp;{root} {baseUrl} $(id) `id` \\ ! * % + # é😀\n\t";

function define(method: "GET" | "POST") {
  return defineOperation({
    method,
    name: "special",
    summary: SPECIAL,
    description: `${SPECIAL} and \`<i>\` and \`\`a\`b\`\`.`,
    tool: { name: "special", description: "" },
    parameters: {
      input: string({ description: SPECIAL, default: SPECIAL }),
    },
    results: {
      Special: { result: { type: "string", description: SPECIAL } },
    },
    errors: {},
    examples: {
      special: { sent: { input: SPECIAL }, result: { result: SPECIAL } },
    },
    run: ({ input }) => ({ result: input }),
  });
}

testOnPosix(
  "special characters of a definition are escaped in the HTML of the reference and in a shell",
  async () => {
    for (const method of ["GET", "POST"] as const) {
      const html = renderSections([define(method)]);
      // The reference itself has only this tag around a status.
      assertEquals(html.match(/<b>(?!\d+<)|<i>|\{root\}/), null);
      assertStringIncludes(html, "<code>&lt;i&gt;</code>");
      assertStringIncludes(html, "<code>a`b</code>");

      const [call] = readCalls(html);
      assertEquals(JSON.parse(call!.response), { result: SPECIAL });
      const command = call!.command.replace(BASE_URL, "http://h");
      const print = `curl() { printf '%s\\n' "$@"; }; ${command}`;
      const { output, log } = await run(["sh", "-c", print]);
      assertEquals(log, "");
      const [url, , body] = output.split("\n");
      const input = method === "GET"
        ? new URL(url!).searchParams.get("input")
        : JSON.parse(body!).input;
      assertEquals(input, SPECIAL);
    }
  },
);
