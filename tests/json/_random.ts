/** Random JSON texts, and their check by `JSON.parse()`. */

import fc from "fast-check";
import { character } from "../_text.ts";
import { VALID, VALID_BY_DECISION, VALID_SPACED } from "./_texts.ts";

/** All valid texts of the tables. */
export const ALL_VALID = [...VALID, ...VALID_SPACED, ...VALID_BY_DECISION];

/** Whether `JSON.parse()` accepts the text. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON values that `JSON.parse()` and `JSON.stringify()` reproduce exactly. */
export const plainValues = fc.jsonValue({ stringUnit: character, maxDepth: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/** JSON texts with white space of every kind between their tokens. */
export const spacedTexts = fc.tuple(
  plainValues,
  fc.constantFrom(undefined, " ", "  ", "\t", "\r\n ", 4, 10),
).map(([value, space]) => ` ${JSON.stringify(value, null, space)}\n`);

/** Valid texts with one character replaced, removed or inserted. */
export const mutatedTexts = fc.tuple(
  fc.oneof(
    spacedTexts,
    fc.constantFrom(...ALL_VALID.filter((text) => text.length < 100)),
  ),
  fc.nat(),
  fc.nat({ max: 1 }),
  fc.constantFrom(
    "",
    ...'{}[]",:\\/ \n\t\r0123456789-+.eEtrufalsn\0é😀\ud800\ufeff',
  ),
).map(([text, position, removed, character]) => {
  const offset = position % (text.length + 1);
  return text.slice(0, offset) + character + text.slice(offset + removed);
});
