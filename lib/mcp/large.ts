/**
 * Results too large to be handed to the official package, which would write them
 * out as one text more than once: there a mark stands for them, and the answer is
 * written piece by piece as the client takes it.
 *
 * @module
 */

import { answerWritten, type Delivery } from "../http/answer.ts";
import type { JsonWriter } from "../json/writer.ts";

/** How much of a text is written at a time, in UTF-16 code units. */
const PIECE_LENGTH = 4 * 1024;

/** What the package is given in place of a result. */
interface StandIn extends Record<string, unknown> {
  readonly content: [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent: Readonly<Record<string, true>>;
}

/** The JSON text that an endpoint answered. */
export class LargeResult {
  readonly #text: string;
  readonly #sourceBytes: number;
  /** What no client can have sent. */
  readonly #mark = crypto.randomUUID();

  /** @param bytes The text in UTF-8, which tells what it takes in memory. */
  constructor(text: string, bytes: Uint8Array) {
    this.#text = text;
    const isAscii = text.length === bytes.byteLength;
    this.#sourceBytes = isAscii ? text.length : 2 * text.length;
  }

  /** What the package is given in its place. */
  get standIn(): StandIn {
    return {
      content: [{ type: "text", text: this.#mark }],
      structuredContent: { [this.#mark]: true },
    };
  }

  /**
   * Answers with what the package made of the stand-in.
   *
   * @throws {HttpError} 503 with `Retry-After` where there is no room for it.
   */
  answer(message: string, delivery: Delivery): Promise<Response> {
    const text = this.#text;
    const asString = `"${this.#mark}"`;
    const asValue = `{${asString}:true}`;
    const parts = message.split(
      new RegExp(`(\\{${asString}:true\\}|${asString})`),
    );
    function* write(output: JsonWriter): Generator<void, void> {
      for (const part of parts) {
        if (part === asString) {
          output.write('"');
          yield* writePieces(text, (start, end) => {
            output.writeEscaped(text, start, end);
            return output.isFull;
          });
          output.write('"');
        } else if (part === asValue) {
          yield* writePieces(text, (start, end) => {
            output.write(text.slice(start, end));
            return output.isFull;
          });
        } else output.write(part);
      }
    }
    return answerWritten(write, {
      sourceBytes: this.#sourceBytes,
      delivery,
    });
  }
}

/** Goes through a text, and pauses where a piece filled the output. */
function* writePieces(
  text: string,
  writePiece: (start: number, end: number) => boolean,
): Generator<void, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    // What is well-formed does not end so.
    if (isFirstOfPair(text.charCodeAt(end - 1))) end += 1;
    if (writePiece(start, end)) yield;
    start = end;
  }
}

/** A surrogate pair must not be cut. */
function isFirstOfPair(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
