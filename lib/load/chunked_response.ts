import { NO_BODY, type ServeInfo } from "../http/body.ts";
import { JSON_TYPE } from "../http/response.ts";
import { TransferTimeout } from "../http/transfer_timeout.ts";
import { type Bytes, freeBuffer } from "../buffer.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Size of a chunk while requests are waiting for slots. Even the slowest client that is allowed
 * reads this much in a second, so a stalled client is detected soon.
 */
const CONTENDED_CHUNK_BYTES = 64 * 1024;

interface LargeResult {
  /** The JSON, whose buffer is freed after the transfer. The caller must not use it again. */
  readonly bytes: Bytes;
  readonly completed: NonNullable<ServeInfo["completed"]>;
  /** Disposed of when the transfer ends. */
  readonly slot: DisposableStack;
  /** Returns whether requests are waiting for slots. If so, clients must not stall. */
  readonly isContended: () => boolean;
}

/**
 * Creates a response that sends a result in chunks. If the client is too slow, the remaining
 * bytes are dropped. Deno then closes the connection, because the body is incomplete.
 */
export function createChunkedResponse(
  { bytes, completed, slot, isContended }: LargeResult,
): Response {
  let remaining = bytes;
  slot.defer(() => {
    remaining = NO_BODY;
    freeBuffer(bytes.buffer);
  });
  const end = () => slot.dispose();
  const timeout = new TransferTimeout(Infinity, isContended, end);
  slot.defer(() => timeout.cancel());
  completed.then(end, end);
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      // Copies the chunk, because Deno keeps a chunk's buffer until the client has read it.
      const size = isContended() ? CONTENDED_CHUNK_BYTES : CHUNK_BYTES;
      const chunk = remaining.slice(0, size);
      remaining = remaining.subarray(chunk.byteLength);
      timeout.advance(chunk.byteLength);
      if (chunk.byteLength > 0) controller.enqueue(chunk);
      if (remaining.byteLength === 0) controller.close();
    },
  }, { highWaterMark: 0 });
  const headers = {
    "content-type": JSON_TYPE,
    "content-length": String(remaining.byteLength),
  };
  return new Response(body, { headers });
}
