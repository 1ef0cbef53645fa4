/**
 * Property tests: the same random inputs in each run, so that a change is judged by itself.
 * The environment variable `SEED` draws others, and ten times as many, which
 * `deno task fuzz` does for all of them.
 */

import fc from "fast-check";

const givenSeed = Deno.env.get("SEED");

/** The seed of all random inputs: a whole number of at most 31 bits. */
export const seed = Number(givenSeed ?? 1);

fc.configureGlobal({ seed, numRuns: times(100) });

/** The number of runs of a property, from the one for a fixed seed. */
export function times(numRuns: number): number {
  return givenSeed === undefined ? numRuns : 10 * numRuns;
}

export default fc;
