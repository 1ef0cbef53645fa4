/**
 * The parts of the service that the page uses: the operations, digest comparison, and quoting.
 * They don't depend on Node or Deno. `deno task vendor` bundles this module into
 * `web/vendor/operations.js`.
 *
 * @module
 */

import { loadOperations } from "../routes/operations.ts";

const loaded = await loadOperations();

/** The operations by name. */
export const operations = Object.fromEntries(
  loaded.map((operation) => [operation.name, operation]),
);

export { ALGORITHM_NAMES, findDigests } from "../lib/digest_list.ts";
export { InputError } from "../lib/operation/input_error.ts";
export { noYield } from "../lib/operation/context.ts";
export { quote } from "../lib/format_value.ts";
