/**
 * Property tests: the same random inputs in each run, so that a change is judged by itself.
 * The environment variable `SEED` draws others, which `deno task fuzz` does for all of them.
 */

import fc from "fast-check";

/** The seed of all random inputs: a whole number of at most 31 bits. */
export const seed = Number(Deno.env.get("SEED") ?? 1);

fc.configureGlobal({ seed });

export default fc;
