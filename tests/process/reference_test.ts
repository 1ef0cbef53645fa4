/** The reference of an operation whose texts have every special character. */

import { assertEquals } from "@std/assert";
import { BASE_URL, renderSections } from "../../lib/http/reference.ts";
import { defineOperation } from "../../lib/operation/operation.ts";
import { string } from "../../lib/operation/parameters.ts";
import { readCalls } from "../_docs.ts";
import { run, testOnPosix } from "../_server.ts";

const ODD = "'\"<b>&amp;{root} {baseUrl} $(id) `id` \\ ! * % + # é😀\n\t";

function define(method: "GET" | "POST") {
  return defineOperation({
    method,
    name: "odd",
    summary: ODD,
    description: `${ODD} and \`<i>\` and \`\`a\`b\`\`.`,
    tool: { name: "odd", description: "" },
    parameters: { input: string({ description: ODD, default: ODD }) },
    results: { OddResponse: { result: { type: "string", description: ODD } } },
    examples: { odd: { sent: { input: ODD }, result: { result: ODD } } },
    run: ({ input }) => ({ result: input }),
  });
}

Deno.test("no text of a definition becomes a tag or a placeholder of the reference", () => {
  const html = renderSections([define("GET"), define("POST")]);
  const tags = new Set(html.match(/<\/?\w+/g));
  assertEquals(tags.has("<b"), true, "the statuses");
  assertEquals(html.match(/<b>(?!\d+<)/), null);
  assertEquals(tags.has("<i"), false);
  assertEquals(html.match(/\{root\}/), null);
  assertEquals(html.includes("<code>&lt;i&gt;</code>"), true);
  assertEquals(html.includes("<code>a`b</code>"), true);
  assertEquals(
    html.match(/.{6}\{baseUrl\}.{8}/g),
    Array(2).fill(`&quot;${BASE_URL}/api/odd`),
  );
});

testOnPosix(
  "a shell passes the calls of the reference to curl as they are meant",
  async () => {
    for (const method of ["GET", "POST"] as const) {
      const [call] = readCalls(renderSections([define(method)]));
      const { command, answer } = call!;
      assertEquals(JSON.parse(answer), { result: ODD });
      const local = command.replace(BASE_URL, "http://h");
      const print = `curl() { printf '%s\\n' "$@"; }; ${local}`;
      const { output, log } = await run(["sh", "-c", print]);
      assertEquals(log, "");
      const [url, option, body] = output.split("\n");
      if (method === "GET") {
        assertEquals(new URL(url!).searchParams.get("input"), ODD);
      } else {
        assertEquals([url, option], ["http://h/api/odd", "-d"]);
        assertEquals(JSON.parse(body!), { input: ODD });
      }
    }
  },
);
