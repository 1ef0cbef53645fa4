/**
 * Admission control: runs the POST requests of a server that faces many clients.
 *
 * A request is small if its body has at most 64 KiB and a known length. Small requests wait
 * for no slot, unless the response has more than 256 KiB. Every other request passes two
 * gates, first in, first out: one to receive its body, another to compute its result and send
 * it. The slots bound the memory. Requests at the first gate are not read. While requests wait
 * at a gate, clients that stall lose their slots.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  type BodyLimits,
  type BodyRunner,
  type Compute,
  IncompleteBodyError,
  readLength,
  type ServeInfo,
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

const KIB = 1024;
const MIB = 1024 * KIB;

/** Largest body that is computed as soon as it has arrived, in bytes, inclusive. */
const MAX_TINY_BYTES = 16 * KIB;

/** Largest body of a small request, in bytes, inclusive. */
const MAX_SMALL_BYTES = 64 * KIB;

/** Largest response that is sent in one piece, without a slot, in bytes, inclusive. */
const MAX_UNCHUNKED_BYTES = 256 * KIB;

/**
 * Memory per thread for the bodies that are received at a time, in bytes: the number to
 * reduce first.
 */
const BODY_MEMORY_BYTES = 128 * MIB;
const MIN_BODY_SLOTS = 6;
const MAX_BODY_SLOTS = 128;

/** Number of large requests that are computed, or have a large response being sent. */
const RESULT_SLOTS = 32;

/** Time for which a request that was rejected unread counts as waiting, in milliseconds. */
const REJECTION_MS = 10_000;

/**
 * Size of a buffer after whose release glibc, the C library of most Linux systems, keeps the
 * memory of freed bodies and results for later ones (mallopt(3), `M_MMAP_THRESHOLD`).
 */
const KEPT_BYTES = 8 * MIB;

const utf8Encoder = new TextEncoder();

/** Options of `createAdmissionControl()`. */
export interface LoadOptions extends BodyLimits {
  /** Aborts when the service shuts down. */
  readonly shutdown: AbortSignal;
}

/** The arguments of a `BodyRunner`. */
interface Call {
  readonly request: Request;
  readonly info: ServeInfo;
  readonly compute: Compute;
}

/** Creates the function that runs the POST requests of one thread. */
export function createAdmissionControl(options: LoadOptions): BodyRunner {
  const { maxBodyBytes, bodyTimeoutMs, shutdown } = options;
  const bodySlots = Math.max(
    MIN_BODY_SLOTS,
    Math.min(MAX_BODY_SLOTS, Math.floor(BODY_MEMORY_BYTES / maxBodyBytes)),
  );
  const bodies = new Gate(bodySlots);
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
    const { request } = call;
    if (bodies.isFull && !request.headers.has("host")) {
      // Over HTTP/2, which has no `Host`, an unread body would block the other requests of
      // its connection.
      rejectedAt = performance.now();
      await readChunks(request, options, { isContended, onChunk() {} });
      throw createBusyError();
    }
    using _slot = await bodies.enter(request);
    const body = await readBody(request, options, isContended);
    return await computeLarge(call, body);
  }

  /** Computes the result of a request that may need much memory. */
  async function computeLarge(
    { request, info, compute }: Call,
    body: Bytes,
  ): Promise<HandlerResult> {
    using slot = await results.enter(request);
    await queue.take("large");
    const result = await compute(body, queue.yieldControl);
    // The garbage collector would free it late, and the next body would take new memory.
    freeBuffer(body.buffer);
    const { completed } = info;
    if (completed === undefined || !isLargeResult(result)) return result;
    return createChunkedResponse({
      bytes: typeof result === "string" ? utf8Encoder.encode(result) : result,
      completed,
      slot: slot.move(),
      isContended,
    });
  }

  return async function runWithBody(request, info = {}, compute) {
    const length = readLength(request, maxBodyBytes);
    const call = { request, info, compute };
    try {
      if (length === undefined || length > MAX_SMALL_BYTES) {
        return await runLarge(call);
      }
      const body = await smallBodies.read(request, length);
      if (length > MAX_TINY_BYTES) await queue.take("small");
      const result = await compute(body, noYield);
      // A large result of a small body is computed again once it has a slot, since results
      // that wait for one would take memory without a limit.
      return isLargeResult(result) ? await computeLarge(call, body) : result;
    } catch (error) {
      // When the service shuts down, Deno interrupts the bodies that are being received.
      const wasInterrupted = error instanceof IncompleteBodyError &&
        shutdown.aborted;
      throw wasInterrupted ? createShutdownError() : error;
    }
  };
}

/** Whether a result is sent in chunks, and keeps its slot until it has been sent. */
function isLargeResult(result: HandlerResult): result is JsonText {
  return isJsonText(result) && Buffer.byteLength(result) > MAX_UNCHUNKED_BYTES;
}
