/** What is wrong with a text that is no JSON, and where. */

import { describe } from "../quote.ts";

/** A text that is no JSON. The message ends in `at line L, column C`. */
export class JsonTextError extends Error {
  override name = "JsonTextError";
}

/**
 * Makes the error for the character at an offset, or for the end of the text.
 * Lines end at LF, CR or CRLF; columns count code points, both from 1.
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

/** Names a character as it is named in every message. */
function describeCharacter(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined
    ? "the end of the text"
    : describe(String.fromCodePoint(codePoint));
}
