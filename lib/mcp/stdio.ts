/** Answers MCP messages over standard input and output, with one message on each line. */

import { DelimiterStream } from "@std/streams/delimiter-stream";
import { skipByteOrderMark } from "../values/utf8.ts";
import type { Bytes } from "../values/buffer.ts";

const NEWLINE = new Uint8Array([0x0a]);

/** Number of answers waiting to be written at which no further line is answered. */
const MAX_UNREAD = 16;

const utf8Encoder = new TextEncoder();

/** The stream of the messages, and the stream to which the answers are written. */
export type Streams = ReadableWritablePair<Bytes, Bytes>;

/**
 * Answers the lines of a stream one after the other, until the stream has ended and all
 * answers are written. Skips blank lines, and a byte order mark at the start of a line,
 * which files and pipes of Windows may have. The last line need not end with a line feed.
 *
 * @param answer Returns the answer to a line, or `undefined` for none. Neither the line nor
 * the answer has a line feed.
 * @throws the first error of `readable`, `writable` or `answer`.
 */
export async function answerLines(
  { readable, writable }: Streams,
  answer: (line: Bytes) => Promise<string | undefined>,
): Promise<void> {
  const answers = new TransformStream<Bytes, Bytes>(
    {
      async transform(line, controller) {
        const message = skipByteOrderMark(line);
        if (message.every(isWhiteSpace)) return;
        const text = await answer(message);
        if (text === undefined) return;
        controller.enqueue(utf8Encoder.encode(`${text}\n`));
      },
    },
    undefined,
    { highWaterMark: MAX_UNREAD },
  );
  await readable.pipeThrough(new DelimiterStream(NEWLINE)).pipeThrough(answers)
    .pipeTo(writable);
}

/** Whether a byte is white space of JSON (RFC 8259, section 2), except a line feed. */
function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
