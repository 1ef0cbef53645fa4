/** Handles MCP messages over standard input and output, with one message on each line. */

import { DelimiterStream } from "@std/streams/delimiter-stream";
import { skipByteOrderMark } from "../utf8.ts";
import type { Bytes } from "../buffer.ts";

const NEWLINE = new Uint8Array([0x0a]);

/** What `handleLines()` does with lines and responses, which have no newline. */
interface LineHandler {
  /** Returns the response to a line, or `undefined` for none. */
  readonly handle: (line: Bytes) => Promise<string | undefined>;
  readonly write: (text: string) => Promise<void>;
}

/**
 * Handles the lines of an input one at a time, and writes the responses. Skips blank lines,
 * and a byte order mark at the start of a line, which files and pipes of Windows may have.
 * The last line need not end with a newline.
 *
 * @throws the first error of `input`, `handle` or `write`.
 */
export async function handleLines(
  input: AsyncIterable<Bytes>,
  { handle, write }: LineHandler,
): Promise<void> {
  const lines = ReadableStream.from(input)
    .pipeThrough(new DelimiterStream(NEWLINE));
  for await (const line of lines) {
    const message = skipByteOrderMark(line);
    if (message.every(isWhitespace)) continue;
    const response = await handle(message);
    if (response !== undefined) await write(`${response}\n`);
  }
}

/** Whether a byte is whitespace of JSON (RFC 8259, section 2), except a newline. */
function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
