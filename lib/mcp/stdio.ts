/** Serves an agent over standard input and output, with one message per line. */

import { DelimiterStream } from "@std/streams/delimiter-stream";
import type { Bytes } from "../buffer.ts";
import { noYield } from "../operation/context.ts";
import { readInput, writeOutput } from "../process/standard_streams.ts";
import { skipByteOrderMark } from "../utf8.ts";
import { handleMessage, type McpServer } from "./protocol.ts";

const NEWLINE = new Uint8Array([0x0a]);

/**
 * Handles messages one at a time until the input ends. Ignores blank lines, and the byte order
 * marks that Windows can add.
 *
 * @param maxBytes Maximum size of a message, in bytes, without its newline.
 * @throws {Deno.errors.BrokenPipe} if the agent closes the output.
 * @throws {ExitError} with status 1 if reading or writing fails for any other reason.
 */
export async function serveAgent(
  server: McpServer,
  maxBytes: number,
  {
    input = readInput(Deno.stdin.readable, "standard input"),
    write = writeOutput,
  }: {
    readonly input?: AsyncIterable<Bytes>;
    readonly write?: (line: string) => Promise<void>;
  } = {},
): Promise<void> {
  const delivery = { maxBytes, yieldControl: noYield };
  const lines = ReadableStream.from(input)
    .pipeThrough(new DelimiterStream(NEWLINE));
  for await (const line of lines) {
    const message = skipByteOrderMark(line);
    if (message.every(isWhitespace)) continue;
    const response = await handleMessage(message, server, delivery);
    if (response !== undefined) await write(`${response.json}\n`);
  }
}

/** Whether a byte is JSON whitespace other than a newline (RFC 8259, section 2). */
function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
