/**
 * Formats and minifies JSON texts (RFC 8259, strict) without loss, and gives the exact
 * positions of errors. Only the white space between tokens changes: numbers, escapes, the
 * order of names and duplicate names stay as they are. Any depth of nesting is accepted.
 * The module needs only ECMAScript 2024, `TextEncoder` and `TextDecoder`.
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

export { JsonSizeError, JsonTextError } from "./error.ts";

/** The indentation and the size limit of a formatted text, each with a default. */
export interface FormatOptions {
  /** Spaces for each level of nesting, 1 to 100; 2 by default. */
  readonly indent?: number;
  /** Largest result, in bytes of UTF-8, inclusive; `Infinity` by default. */
  readonly maxBytes?: number;
}

const MAX_INDENT = 100;

/**
 * Formats a JSON text like `JSON.stringify(value, null, indent)`: one element or member per
 * line, and `{}` or `[]` if there are none. `indent` may exceed 10, the limit of
 * `JSON.stringify()`.
 *
 * The result of deep nesting can be much larger than the text: 10 KB of brackets become 50
 * MB. Set `maxBytes` for untrusted texts.
 *
 * @throws {TypeError} if the text is not a string, `options` not an object, or an option
 * not a number.
 * @throws {RangeError} if `indent` is not an integer from 1 to 100, or `maxBytes` neither a
 * safe integer of at least 1 nor `Infinity`.
 * @throws {JsonTextError} if the text is not JSON.
 * @throws {JsonSizeError} if the result would be larger than `maxBytes`.
 */
export function formatJson(text: string, options: FormatOptions = {}): string {
  checkType("text", text, "string");
  checkOptions(options);
  const { indent = 2, maxBytes = Infinity } = options;
  checkInteger("indent", indent, { min: 1, max: MAX_INDENT });
  if (maxBytes !== Infinity) checkInteger("maxBytes", maxBytes, { min: 1 });
  return decodeValidUtf8(rewriteJson(text, { indent, maxBytes }));
}

/**
 * Removes the white space before, between and after the tokens of a JSON text.
 *
 * @throws {TypeError} if the text is not a string.
 * @throws {JsonTextError} if the text is not JSON.
 */
export function minifyJson(text: string): string {
  checkType("text", text, "string");
  return decodeValidUtf8(
    rewriteJson(text, { indent: 0, maxBytes: Infinity }),
  );
}

/**
 * Returns the error of an invalid text, or `undefined` for valid JSON.
 *
 * @throws {TypeError} if the text is not a string.
 */
export function findJsonError(text: string): JsonTextError | undefined {
  checkType("text", text, "string");
  try {
    checkJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}
