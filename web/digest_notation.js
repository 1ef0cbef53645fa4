/**
 * The module of lib/ that the page shares with the terminal. The service serves that module
 * itself in place of this one.
 *
 * @module
 */

export * from "../lib/values/digest_notation.js";
