/** Suggestions for words of a command line that are not known. */

import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** Hint in the error for an unknown word, if no known word is similar. */
export const TRY_HELP = "type --help for a list";

/** Most letters that are added, removed or changed in a similar word. */
const MAX_DISTANCE = 2;

/** Suggests the most similar word, if at least half of its letters are the same. */
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
