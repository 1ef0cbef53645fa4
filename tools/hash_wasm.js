/**
 * Digests of data that comes in pieces, which Web Crypto does not have. `deno task vendor`
 * bundles this module into `web/vendor/hash_wasm.js`.
 *
 * @module
 */

export { createSHA1, createSHA256, createSHA512 } from "hash-wasm";
