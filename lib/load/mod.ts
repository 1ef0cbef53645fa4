/**
 * Admission control for POST requests to a server with many clients.
 *
 * A request is small if its body has a known length of at most 64 KiB. A small request doesn't
 * wait for a slot, unless its response exceeds 256 KiB. All other requests pass through two
 * gates, in order of arrival: one to receive the body, and one to compute and send the result.
 * Limiting the slots bounds memory use, because the body of a request that waits at the first
 * gate isn't read. While requests wait at a gate, stalled clients lose their slots.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  type BodyLimits,
  type BodyRunner,
  IncompleteBodyError,
  readLength,
} from "../http/body.ts";
import { readBody, readChunks } from "../http/read_body.ts";
import {
  createBusyError,
  createShutdownError,
  type HandlerResult,
  isJsonText,
  type JsonText,
} from "../http/response.ts";
import { noYield } from "../operation/context.ts";
import { type Bytes, freeBuffer } from "../buffer.ts";
import { createChunkedResponse } from "./chunked_response.ts";
import { ComputeQueue } from "./compute_queue.ts";
import { Gate } from "./gate.ts";
import { SmallBodyReader } from "./small_body.ts";

/** Maximum size of a body that is processed as soon as it has arrived, in bytes. */
const MAX_TINY_BYTES = 16 * 1024;

/** Maximum size of a small request's body, in bytes. */
const MAX_SMALL_BYTES = 64 * 1024;

/** Maximum size of a response that is sent in one piece and without a slot, in bytes. */
const MAX_UNCHUNKED_BYTES = 256 * 1024;

/** Memory per thread for receiving bodies. To save memory, reduce this value first. */
const BODY_MEMORY_BYTES = 128 * 1024 * 1024;
const MIN_BODY_SLOTS = 6;
const MAX_BODY_SLOTS = 128;

/** Maximum number of large requests being processed and large responses being sent, in total. */
const RESULT_SLOTS = 32;

/** How long stalled clients keep losing their slots after a rejected request, in milliseconds. */
const REJECTION_MS = 10_000;

/**
 * Size of a buffer that is freed at startup. Afterward, glibc reuses the memory of freed
 * buffers up to this size (mallopt(3), `M_MMAP_THRESHOLD`).
 */
const KEPT_BYTES = 8 * 1024 * 1024;

const utf8Encoder = new TextEncoder();

export interface LoadOptions extends BodyLimits {
  /** Aborts when the service shuts down. */
  readonly shutdown: AbortSignal;
}

type Call = Parameters<BodyRunner>;

/** Creates the function that processes one thread's POST requests. */
export function createAdmissionControl(options: LoadOptions): BodyRunner {
  const { maxBodyBytes, bodyTimeoutMs, shutdown } = options;
  const slots = Math.floor(BODY_MEMORY_BYTES / maxBodyBytes);
  const bodies = new Gate(
    Math.max(MIN_BODY_SLOTS, Math.min(MAX_BODY_SLOTS, slots)),
  );
  const results = new Gate(RESULT_SLOTS);
  shutdown.addEventListener("abort", () => bodies.close());
  const queue = new ComputeQueue();
  const smallBodies = new SmallBodyReader(bodyTimeoutMs);
  let rejectedAt = -Infinity;
  freeBuffer(new ArrayBuffer(KEPT_BYTES));

  function isContended(): boolean {
    return bodies.hasWaiting || results.hasWaiting ||
      performance.now() - rejectedAt < REJECTION_MS;
  }

  async function runLarge(call: Call): Promise<HandlerResult> {
    const [request] = call;
    if (bodies.isFull && !request.headers.has("host")) {
      // A request without a `Host` header uses HTTP/2, where an unread body would block the
      // other requests on the connection.
      rejectedAt = performance.now();
      await readChunks(request, options, { isContended, onChunk() {} });
      throw createBusyError();
    }
    using _slot = await bodies.enter(request);
    const body = await readBody(request, options, isContended);
    return await computeLarge(call, body);
  }

  async function computeLarge(
    [request, info, compute]: Call,
    body: Bytes,
  ): Promise<HandlerResult> {
    using slot = await results.enter(request);
    await queue.take("large");
    const result = await compute(body, queue.yieldControl);
    freeBuffer(body.buffer);
    const completed = info?.completed;
    if (completed === undefined || !isLargeResult(result)) return result;
    return createChunkedResponse({
      bytes: typeof result === "string" ? utf8Encoder.encode(result) : result,
      completed,
      slot: slot.move(),
      isContended,
    });
  }

  return async function runWithBody(...call) {
    const [request, _info, compute] = call;
    const length = readLength(request, maxBodyBytes);
    try {
      if (length === undefined || length > MAX_SMALL_BYTES) {
        return await runLarge(call);
      }
      const body = await smallBodies.read(request, length);
      if (length > MAX_TINY_BYTES) await queue.take("small");
      const result = await compute(body, noYield);
      // If a small body has a large result, the result is computed again once the request has a
      // slot. Keeping results while requests wait for slots could use unlimited memory.
      if (isLargeResult(result)) return await computeLarge(call, body);
      freeBuffer(body.buffer);
      return result;
    } catch (error) {
      // During shutdown, Deno interrupts request bodies that are being received.
      const wasInterrupted = error instanceof IncompleteBodyError &&
        shutdown.aborted;
      throw wasInterrupted ? createShutdownError() : error;
    }
  };
}

/** Whether a result is sent in chunks, and needs a slot until it has been sent. */
function isLargeResult(result: HandlerResult): result is JsonText {
  if (!isJsonText(result)) return false;
  // In UTF-8, a code unit of a string takes one to three bytes.
  return result.length > MAX_UNCHUNKED_BYTES ||
    3 * result.length > MAX_UNCHUNKED_BYTES &&
      Buffer.byteLength(result) > MAX_UNCHUNKED_BYTES;
}
