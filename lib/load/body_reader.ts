/** Readers of the stream of a body. */

import type { ServeInfo } from "./load.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads a chunk into a view, or makes a buffer of its own for it. */
export interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

/**
 * A reader that writes to views, since that takes less memory, if the stream is one of
 * `Deno.serve`. At the end of a body other runtimes may not give the last view back.
 */
export function getReader(
  stream: ReadableStream<Bytes>,
  info: ServeInfo | undefined,
): Reader {
  if (info === undefined || !("completed" in info)) return stream.getReader();
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // It is not a stream of bytes, or is in use, which throws here, too.
    return stream.getReader();
  }
}
