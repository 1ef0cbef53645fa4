import { noYield } from "../operation/context.ts";
import type { Bytes } from "../buffer.ts";
import {
  type BodyLimits,
  type BodyRunner,
  createSizeError,
  IncompleteBodyError,
  NO_BODY,
  readLength,
  toReadError,
} from "./body.ts";
import { HttpError } from "./response.ts";
import { TransferTimeout } from "./transfer_timeout.ts";

/** Maximum size of a body that is processed without yielding, in bytes. */
const MAX_UNYIELDING_BYTES = 64 * 1024;

/** Maximum number of chunks whose average size is less than `MIN_CHUNK_BYTES`. */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;

/** Number of chunks after which other requests can run. */
const CHUNKS_PER_YIELD = 64;

/** Maximum size of a chunk. Deno keeps this much memory for each connection. */
const VIEW_BYTES = 32 * 1024;

/**
 * Delay before canceling a body with too many small chunks. If the response has been sent by
 * then, Deno closes the connection instead of reading the remaining chunks.
 */
const CANCEL_DELAY_MS = 50;

/** Limits each body, without admission control. This is the default when used as a library. */
export function createBodyLimiter(limits: BodyLimits): BodyRunner {
  return async function runWithBody(request, _info, compute) {
    const body = await readBody(request, limits);
    const isSmall = body.byteLength <= MAX_UNYIELDING_BYTES;
    return await compute(body, isSmall ? noYield : yieldToEventLoop);
  };
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Reads a request body into memory.
 *
 * @throws {HttpError} for the same reasons as `readChunks()`.
 * @throws {RangeError} if memory cannot be allocated.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  isContended = () => false,
): Promise<Bytes> {
  const { maxBodyBytes } = limits;
  const length = readLength(request, maxBodyBytes);
  let buffer = new ArrayBuffer();
  let received = 0;
  await readChunks(request, limits, {
    isContended,
    onChunk(chunk) {
      const end = received + chunk.byteLength;
      if (end > buffer.byteLength) {
        const size = length ?? Math.min(2 * end, maxBodyBytes);
        // A zero byte follows the body, so that a JSON document doesn't have to be copied.
        buffer = buffer.transfer(Math.max(size, end) + 1);
      }
      new Uint8Array(buffer).set(chunk, received);
      received = end;
    },
  });
  if (received !== (length ?? received)) throw new IncompleteBodyError();
  return received === 0 ? NO_BODY : new Uint8Array(buffer, 0, received);
}

/**
 * Passes each chunk of a request body to `onChunk`, which must copy its bytes.
 *
 * @throws {HttpError} 400 if the body ends early, consists of too many small chunks, or isn't
 * a stream of bytes; 408 or 503 if it is too slow; 413 if it is too large.
 */
export async function readChunks(
  { body }: Request,
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
  { isContended, onChunk }: {
    readonly isContended: () => boolean;
    readonly onChunk: (chunk: Bytes) => void;
  },
): Promise<void> {
  if (body === null) return;
  const reader = openReader(body);
  const cancel = () => {
    // Rejects if the client has disconnected.
    reader.cancel().catch(() => {});
  };
  const timeout = new TransferTimeout(bodyTimeoutMs, isContended, cancel);
  let view: Bytes = new Uint8Array(VIEW_BYTES);
  let received = 0;
  let chunks = 0;
  let cancelDelayMs = 0;
  try {
    for (;;) {
      const result = await reader.read(view).catch(toReadError);
      // Checked first, because runtimes differ in how a canceled read ends.
      if (timeout.error !== undefined) throw timeout.error;
      if (result instanceof Error) throw result;
      const { value, done } = result;
      if (done || value === undefined) return;
      // For example, a program can create a `Request` from a stream of strings.
      if (!(value instanceof Uint8Array)) {
        throw new HttpError(400, "the body must be a stream of bytes");
      }
      received += value.byteLength;
      if (received > maxBodyBytes) throw createSizeError(maxBodyBytes);
      onChunk(value);
      view = new Uint8Array(value.buffer);
      timeout.advance(value.byteLength);
      chunks += 1;
      if (chunks > MAX_SMALL_CHUNKS && received < MIN_CHUNK_BYTES * chunks) {
        cancelDelayMs = CANCEL_DELAY_MS;
        throw new HttpError(
          400,
          `the body must not arrive in more than ${MAX_SMALL_CHUNKS} chunks that average fewer than ${MIN_CHUNK_BYTES} bytes`,
          { connection: "close" },
        );
      }
      if (chunks % CHUNKS_PER_YIELD === 0) await yieldToEventLoop();
    }
  } finally {
    timeout.cancel();
    if (cancelDelayMs === 0) cancel();
    else setTimeout(cancel, cancelDelayMs);
  }
}

/**
 * Opens a reader that reuses one buffer. If the stream doesn't support this, for example because
 * the body arrived together with the request headers, `read()` ignores the view.
 */
function openReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return stream.getReader() as unknown as ReadableStreamBYOBReader;
  }
}
