import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseBoolean, parseInteger } from "../lib/parse.ts";

Deno.test("parseInteger() accepts decimal digits within inclusive bounds", async (t) => {
  const rows = [
    ["7", 7],
    ["0", undefined],
    ["1", 1],
    ["100", 100],
    ["101", undefined],
    ["0100", undefined],
    ["01", undefined],
    ["00", undefined],
    ["", undefined],
    ["+5", undefined],
    ["-5", undefined],
    ["5 ", undefined],
    ["\n5", undefined],
    ["5x", undefined],
    ["5.0", undefined],
    ["1e1", undefined],
    ["0x5", undefined],
    ["٥", undefined],
  ] as const;
  for (const [text, value] of rows) {
    await t.step(JSON.stringify(text), () => {
      assertEquals(parseInteger(text, { min: 1, max: 100 }), value);
    });
  }
});

Deno.test("parseInteger() returns every number within its bounds", () => {
  fc.assert(fc.property(fc.nat(), fc.nat(), fc.nat(), (value, min, max) => {
    assertEquals(
      parseInteger(String(value), { min, max }),
      min <= value && value <= max ? value : undefined,
    );
  }));
});

Deno.test("parseBoolean() accepts eight words in any case", () => {
  for (const text of ["true", "1", "yes", "on", "TRUE", "Yes", "oN"]) {
    assertEquals(parseBoolean(text), true, text);
  }
  for (const text of ["false", "0", "no", "off", "FALSE", "No", "oFf"]) {
    assertEquals(parseBoolean(text), false, text);
  }
  for (const text of ["", "y", "2", "true ", " on", "constructor"]) {
    assertEquals(parseBoolean(text), undefined, text);
  }
});
