/**
 * Random inputs of property tests, which are the same in each run. The environment variable
 * `SEED` draws others, and ten times as many.
 */

import fc from "fast-check";
import { VALID, VALID_BY_DECISION, VALID_SPACED } from "./json/_documents.ts";

const seed = Deno.env.get("SEED");

fc.configureGlobal({ seed: Number(seed ?? 1), numRuns: times(100) });

export default fc;

/** Multiplies a number of runs by ten if `SEED` is set. */
export function times(numRuns: number): number {
  return seed === undefined ? numRuns : 10 * numRuns;
}

/** Draws one of the words of a string. */
export function words(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.split(" "));
}

const MIN_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point except the surrogates. The unit `"binary"` of fast-check draws the same, but
 * needs a second to prepare.
 */
export const character = fc.nat(0x10ffff - SURROGATES)
  .map((n) => String.fromCodePoint(n < MIN_SURROGATE ? n : n + SURROGATES));

/** Any string without lone surrogates. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const bounds = maxLength === undefined ? {} : { maxLength };
  return fc.string({ ...bounds, unit: character });
}

/** All valid JSON documents of the tables. */
export const ALL_VALID = [...VALID, ...VALID_SPACED, ...VALID_BY_DECISION];

/** JSON values that `JSON.parse()` and `JSON.stringify()` reproduce exactly. */
export const plainValues = fc.jsonValue({ stringUnit: character, maxDepth: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/** JSON documents with whitespace of every kind between their tokens. */
export const spacedTexts = fc.tuple(
  plainValues,
  fc.constantFrom(undefined, " ", "  ", "\t", "\r\n ", 4, 10),
).map(([value, space]) => ` ${JSON.stringify(value, null, space)}\n`);

/** Valid JSON documents with one character replaced, removed or inserted. */
export const mutatedTexts = fc.tuple(
  fc.oneof(
    spacedTexts,
    fc.constantFrom(...ALL_VALID.filter(({ length }) => length < 100)),
  ),
  fc.nat(),
  fc.nat({ max: 1 }),
  fc.constantFrom(
    "",
    ...'{}[]",:\\/ \n\t\r0123456789-+.eEtrufalsn\0é😀\ufeff',
  ),
).map(([text, position, removed, character]) => {
  const offset = position % (text.length + 1);
  const mutated = text.slice(0, offset) + character +
    text.slice(offset + removed);
  // A mutation can separate the halves of a surrogate pair.
  return mutated.toWellFormed();
});
