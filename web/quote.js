/**
 * Exports the module of the same name in lib/, see `digest_choice.js`.
 * @module
 */

export * from "../lib/values/quote.js";
