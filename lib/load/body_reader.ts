/** Creates readers for the streams of request bodies. */

import type { ServeInfo } from "./load.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A reader of a stream. `read()` returns bytes in the given buffer (`view`), or ignores
 * the buffer and returns a new one.
 */
export interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

/**
 * Returns a reader for a stream. For a stream of `Deno.serve`, the reader fills buffers
 * of the caller, which takes less memory than new ones. For other runtimes the reader
 * returns new buffers: at the end of a body, such a runtime may not give the caller's
 * buffer back.
 */
export function getReader(
  stream: ReadableStream<Bytes>,
  info: ServeInfo | undefined,
): Reader {
  if (info === undefined || !("completed" in info)) return stream.getReader();
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // The call above fails if the stream is not a byte stream; a default reader works then.
    // If another reader has locked the stream, this call fails as well.
    return stream.getReader();
  }
}
