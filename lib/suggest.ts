/** Suggestions for words of a command line that are not known. */

import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** Hint in the error for an unknown word, if no known word is similar. */
export const TRY_HELP = "type --help for a list";

/** Largest number of letters by which a suggestion may differ from the unknown word: added, removed or changed ones. */
const MAX_DISTANCE = 2;

/**
 * Suggests the known word that is most similar, if it differs from the unknown word by at
 * most two letters, and by at most half of the unknown word's letters.
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
