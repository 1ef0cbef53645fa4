/**
 * Exports the module of the same name in lib/, so that the type checker and the
 * tests find it. To browsers, the service sends the module in lib/ itself under
 * this path.
 *
 * @module
 */

export * from "../lib/values/digest_choice.js";
