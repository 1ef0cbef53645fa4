/**
 * Digests of data in chunks, which Web Crypto doesn't support. `deno task vendor` bundles this
 * module into `web/vendor/hash_wasm.js`.
 *
 * @module
 */

export { createSHA1, createSHA256, createSHA512 } from "hash-wasm";
