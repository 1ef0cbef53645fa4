/**
 * Admission control for the POST requests of a server with many clients.
 *
 * A request is small if its body has a known length of at most 64 KiB. Small requests don't
 * wait for a slot, unless the response exceeds 256 KiB. All others pass two gates, in order of
 * arrival: one to receive the body, and one to compute and send the result. The slots limit
 * the memory. Bodies that wait at the first gate remain unread. While requests wait at a gate,
 * stalled clients lose their slots.
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

/** Largest body whose computation starts as soon as it has arrived, in bytes, inclusive. */
const MAX_TINY_BYTES = 16 * 1024;

/** Largest body of a small request, in bytes, inclusive. */
const MAX_SMALL_BYTES = 64 * 1024;

/** Largest response that is sent in one piece, without a slot, in bytes, inclusive. */
const MAX_UNCHUNKED_BYTES = 256 * 1024;

/** Memory per thread for bodies being received. To save memory, reduce this value first. */
const BODY_MEMORY_BYTES = 128 * 1024 * 1024;
const MIN_BODY_SLOTS = 6;
const MAX_BODY_SLOTS = 128;

/** Number of large requests being computed and large responses being sent. */
const RESULT_SLOTS = 32;

/** How long clients must not stall after a request was rejected unread, in milliseconds. */
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

/** Creates the function that runs the POST requests of one thread. */
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
      // Over HTTP/2, which has no `Host` header, an unread body would block the other requests
      // on its connection.
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
      // A large result of a small body is computed again once it has a slot, because results
      // that wait for slots could use unlimited memory.
      return isLargeResult(result) ? await computeLarge(call, body) : result;
    } catch (error) {
      // During shutdown, Deno interrupts the bodies being received.
      const wasInterrupted = error instanceof IncompleteBodyError &&
        shutdown.aborted;
      throw wasInterrupted ? createShutdownError() : error;
    }
  };
}

/** Whether a result is sent in chunks, and keeps its slot until then. */
function isLargeResult(result: HandlerResult): result is JsonText {
  return isJsonText(result) && Buffer.byteLength(result) > MAX_UNCHUNKED_BYTES;
}
