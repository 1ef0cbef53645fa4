/**
 * Stands for the module of the same name in lib/, so that checks and tests find it from here.
 * The service serves that module under this path.
 *
 * @module
 */

export * from "../lib/values/digest_notation.js";
