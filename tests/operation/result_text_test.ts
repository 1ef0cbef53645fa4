/** The JSON of results. Only one operation has a member in JSON notation. */

import { assertEquals } from "@std/assert";
import { JsonString } from "../../lib/json/json_string.ts";
import { formatLine } from "../../lib/operation/result.ts";

Deno.test("a result may have any members next to a string in JSON notation", () => {
  for (
    const [before, after] of [
      [{}, {}],
      [{}, { b: true }],
      [{ "a b": 'x"', c: ["y"] }, { e: 1, f: "z" }],
      [{ é: "x" }, { b: "€" }],
    ]
  ) {
    const string = '["é\\n"]';
    const escaped = new TextEncoder().encode(
      JSON.stringify(string).slice(1, -1),
    );
    const written = new JsonString(escaped.slice());
    const line = formatLine({ ...before, written, ...after });
    assertEquals(
      typeof line === "string" ? line : new TextDecoder().decode(line),
      `${JSON.stringify({ ...before, written: string, ...after })}\n`,
    );
    assertEquals(
      JSON.stringify({ written: new JsonString(escaped) }),
      JSON.stringify({ written: string }),
    );
  }
});
