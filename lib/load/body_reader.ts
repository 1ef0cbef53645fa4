/** Creates readers for the streams of request bodies. */

import type { ServeInfo } from "./load.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A stream reader. `read()` fills the given view, or ignores it and returns a new buffer. */
export interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

/**
 * Returns a reader that fills the caller's views, which takes less memory, for a stream
 * of `Deno.serve`. For other runtimes it returns a plain reader: at the end of a body,
 * they may not return the last view.
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
