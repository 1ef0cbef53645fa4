/**
 * The text of a result of any operation. Of the operations that exist, only one has a member
 * in JSON notation, so the requests of clients do not show the others.
 */

import { assertEquals } from "@std/assert";
import { rewriteText } from "../../lib/json/rewrite.ts";
import { scanText } from "../../lib/json/scan.ts";
import { writeResult } from "../../lib/operation/result.ts";

Deno.test("a result may have any members beside a text that is in the notation of JSON", () => {
  const options = { indent: 0, maxBytes: Infinity };
  const text = '["é\\n"]';
  for (
    const [before, after] of [
      [{}, {}],
      [{}, { b: true }],
      [{ "a b": 'x"', c: ["y"] }, { e: 1, f: "z" }],
      [{ é: "x".repeat(128) }, { b: "€" }],
      [{}, { b: "y".repeat(129) }],
    ]
  ) {
    const written = rewriteText(scanText(text), options);
    const bytes = writeResult({ ...before, written, ...after }) as Uint8Array;
    assertEquals(
      new TextDecoder().decode(bytes),
      JSON.stringify({ ...before, written: text, ...after }),
    );
  }
});
