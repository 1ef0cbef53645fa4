/**
 * Exports the module of the same name in lib/, see `digest_notation.js`.
 * @module
 */

export * from "../lib/values/quote.js";
