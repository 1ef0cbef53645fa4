/**
 * JSON repair. `deno task vendor` bundles this module into `web/vendor/jsonrepair.js`.
 *
 * @module
 */

export { jsonrepair } from "jsonrepair";
