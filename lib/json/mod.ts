/**
 * Formats and minifies JSON (RFC 8259, strict) without loss, and reports the exact position
 * of errors. Only whitespace between tokens changes. Numbers, escapes, key order, and
 * duplicate keys are preserved, at any nesting depth. Requires only ECMAScript 2024,
 * `TextEncoder`, and `TextDecoder`.
 *
 * ```ts
 * import { findJsonError, formatJson, minifyJson } from "@devutils/service/json";
 *
 * console.log(minifyJson("[ 1.0, 12345678901234567890, 1e400 ]")); // [1.0,12345678901234567890,1e400]
 * console.log(formatJson('{"b":1,"a":[]}', { indent: 4 }).split("\n").length); // 4
 * console.log(findJsonError("[1 2]")?.message); // expected "," or "]", got "2" at line 1, column 4
 * ```
 *
 * @module
 */

import { checkInteger, checkOptions, checkType } from "../check.ts";
import { decodeValidUtf8 } from "../utf8.ts";
import { JsonTextError } from "./error.ts";
import { checkJson, rewriteJson } from "./rewrite.ts";
import { runSteps } from "./scan.ts";

export { JsonSizeError, JsonTextError } from "./error.ts";

/** Options for `formatJson()`. */
export interface FormatOptions {
  /** Spaces per nesting level, from 1 to 100. The default is 2. */
  readonly indent?: number;
  /** Maximum size of the result, in bytes of UTF-8. The default is `Infinity`. */
  readonly maxBytes?: number;
}

const MAX_INDENT = 100;

/** Maximum length of a string in V8. */
const MAX_STRING_LENGTH = 2 ** 29 - 24;

/**
 * Formats a JSON document like `JSON.stringify(value, null, indent)`, but with up to 100 spaces
 * per level. The result can be much larger than a deeply nested input: 10 KB of brackets become
 * 50 MB. Set `maxBytes` for untrusted input.
 *
 * @throws {TypeError} if `text` is not a string, `options` is not an object, or an option is
 * not a number.
 * @throws {RangeError} if `indent` is not an integer from 1 to 100, or `maxBytes` is neither a
 * positive safe integer nor `Infinity`.
 * @throws {JsonTextError} if `text` is not JSON.
 * @throws {JsonSizeError} if the result would exceed `maxBytes` or 512 MiB.
 */
export function formatJson(text: string, options: FormatOptions = {}): string {
  checkType("text", text, "string");
  checkOptions(options);
  const { indent = 2, maxBytes = Infinity } = options;
  checkInteger("indent", indent, { min: 1, max: MAX_INDENT });
  if (maxBytes !== Infinity) checkInteger("maxBytes", maxBytes, { min: 1 });
  const steps = rewriteJson(text, {
    indent,
    maxBytes: Math.min(maxBytes, MAX_STRING_LENGTH),
    escapes: false,
  });
  return decodeValidUtf8(runSteps(steps));
}

/**
 * Removes all whitespace outside of strings from a JSON document.
 *
 * @throws {TypeError} if `text` is not a string.
 * @throws {JsonTextError} if `text` is not JSON.
 */
export function minifyJson(text: string): string {
  checkType("text", text, "string");
  const options = { indent: 0, maxBytes: Infinity, escapes: false };
  return decodeValidUtf8(runSteps(rewriteJson(text, options)));
}

/**
 * Returns the first error in a JSON document, or `undefined` if the document is valid.
 *
 * @throws {TypeError} if `text` is not a string.
 */
export function findJsonError(text: string): JsonTextError | undefined {
  checkType("text", text, "string");
  try {
    runSteps(checkJson(text));
    return undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}
