/** Suggests a known word for an unknown word on the command line. */

import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** Hint in the error for an unknown word, if no known word is similar. */
export const TRY_HELP = "type --help for a list";

/**
 * Largest number of letters that are added, removed or changed between the unknown word and
 * a suggestion.
 */
const MAX_DISTANCE = 2;

/**
 * Suggests the known word that is most similar to an unknown one. Returns `undefined` if
 * the two differ by more than two letters, or by more than half of the unknown word's
 * letters.
 */
export function suggest(
  word: string,
  known: readonly string[],
): string | undefined {
  const [nearest] = known.map((name) => ({
    name,
    distance: levenshteinDistance(word.toLowerCase(), name.toLowerCase()),
  })).toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= MAX_DISTANCE &&
      2 * nearest.distance <= word.length
    ? `did you mean "${nearest.name}"?`
    : undefined;
}
