/** Random text for property tests. */

import fc from "fast-check";

const MIN_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * A character: any code point except the surrogates. The unit `"binary"` of fast-check
 * draws the same ones, after a second of preparation.
 */
export const character = fc.nat(0x10ffff - SURROGATES).map(
  (n) => String.fromCodePoint(n < MIN_SURROGATE ? n : n + SURROGATES),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) {
      throw new TypeError("no character");
    }
    return code < MIN_SURROGATE ? code : code - SURROGATES;
  },
);

/** Any text without lone surrogates. */
export function anyText(
  constraints: { readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
