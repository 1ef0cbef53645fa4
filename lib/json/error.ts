/** The error for a text that is not valid JSON. */

import { describe } from "../quote.ts";

/** A text that is no JSON. The message ends in `at line L, column C`. */
export class JsonTextError extends Error {
  override name = "JsonTextError";
}

/**
 * Creates the error for the character at an offset, or for the end of the text.
 * Lines end at LF, CR or CRLF; lines and columns count from 1, columns in code
 * points.
 */
export function unexpected(
  text: string,
  at: number,
  expected: string,
): JsonTextError {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const line = lines.at(-1)!;
  const pairs = line.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  const column = line.length - pairs + 1;
  return new JsonTextError(
    `expected ${expected}, got ${
      describeCharacter(text, at)
    } at line ${lines.length}, column ${column}`,
  );
}

/** Describes the character at an offset, or the end of the text. */
function describeCharacter(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined
    ? "the end of the text"
    : describe(String.fromCodePoint(codePoint));
}
