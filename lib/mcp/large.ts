/**
 * Large results, which the official package is not given: it would write a
 * megabyte several times without a pause, and small requests would wait for it.
 *
 * @module
 */

import type { JsonWriter } from "../json/writer.ts";
import type { Load } from "../load/body.ts";
import { sendWritten } from "../load/response.ts";
import type { Work } from "../work.ts";

/** Length of the text that is written at a time, in UTF-16 code units. */
const PIECE_LENGTH = 4 * 1024;

/** Most memory that a text takes for each of its UTF-16 code units, in bytes. */
const BYTES_PER_CODE_UNIT = 2;

/** A JSON text, and another that stands in its place while the package has it. */
export class LargeText {
  readonly #text: string;
  /** A JSON object that no client can have sent. */
  readonly placeholder = `{"${crypto.randomUUID()}":true}`;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Sends a message of the package, with the text in place of the
   * placeholder: as the characters of a string, and as a value.
   *
   * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it, 499
   * if the client disconnects.
   */
  send(message: string, load: Load): Promise<Response> {
    const text = this.#text;
    const asValue = this.placeholder;
    const asString = JSON.stringify(asValue);
    function* write(output: JsonWriter): Work<void> {
      for (const [i, part] of message.split(asString).entries()) {
        if (i > 0) {
          output.write('"');
          yield* writePieces(text, (start, end) => {
            output.writeEscaped(text, start, end);
            return output.isFull;
          });
          output.write('"');
        }
        for (const [j, rest] of part.split(asValue).entries()) {
          if (j > 0) {
            yield* writePieces(text, (start, end) => {
              output.write(text.slice(start, end));
              return output.isFull;
            });
          }
          output.write(rest);
        }
      }
    }
    const sourceBytes = BYTES_PER_CODE_UNIT * text.length;
    return sendWritten(write, { sourceBytes, load });
  }
}

/** Goes through a text, and pauses where the output is full. */
function* writePieces(
  text: string,
  writePiece: (start: number, end: number) => boolean,
): Work<void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    // A surrogate pair must not be cut; a text of an endpoint has no other.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    if (writePiece(start, end)) yield;
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
