/** The JSON of results. Only one operation has a member in JSON notation. */

import { assertEquals } from "@std/assert";
import { JsonString } from "../../lib/json/json_string.ts";
import { formatResult } from "../../lib/operation/result.ts";

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
    const written = new JsonString(JSON.stringify(string));
    assertEquals(
      formatResult({ ...before, written, ...after }),
      JSON.stringify({ ...before, written: string, ...after }),
    );
    assertEquals(
      JSON.stringify({ written }),
      JSON.stringify({ written: string }),
    );
  }
});
