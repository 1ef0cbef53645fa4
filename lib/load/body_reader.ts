/** Creates readers for the streams of request bodies. */

import type { ServeInfo } from "./load.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A reader of a stream. `read()` either writes bytes into the given buffer (`view`) and
 * returns them, or ignores the buffer and returns bytes in a new one.
 */
export interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

/**
 * Returns a reader for the stream of a body. If the stream comes from `Deno.serve`, the
 * reader writes into buffers of the caller, which takes less memory than a new buffer for
 * each chunk. Streams of other runtimes might not give the caller's buffer back at the end,
 * so their reader returns new buffers.
 */
export function getReader(
  stream: ReadableStream<Bytes>,
  info: ServeInfo | undefined,
): Reader {
  if (info === undefined || !("completed" in info)) return stream.getReader();
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // Only a stream of bytes has a reader for `mode: "byob"`; another stream has a default
    // reader. If the stream already has a reader, this call fails as well.
    return stream.getReader();
  }
}
