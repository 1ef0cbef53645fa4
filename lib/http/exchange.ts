/**
 * Answers requests that have a body: receives the body, computes the answer, and sends it.
 *
 * Small requests take the short way. A large body waits for room in the memory, then for
 * its turn to compute; a large result waits for room until it is sent. The handlers know
 * nothing of this.
 */

import { Buffer } from "node:buffer";
import { freeBuffer } from "../buffer.ts";
import { Transfer } from "../load/budget.ts";
import {
  type Answer,
  type Bytes,
  JSON_TYPE,
  toJsonText,
  toResponse,
} from "./answer.ts";
import {
  type Exchange,
  isWhole,
  readLength,
  receiveChunks,
  receiveWhole,
  SMALL_BYTES,
} from "./body.ts";
import type { Pause } from "../operation/operation.ts";

/** Size of the parts in which a large result is sent, in bytes. */
const PART_BYTES = 256 * 1024;

/** Computes the answer from the body of a request. */
export type Handle = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

const utf8Encoder = new TextEncoder();

/**
 * Receives the body of a request and answers it.
 *
 * @throws {HttpError} 413, 415, 408, 400 or 503 if the body cannot be received, and the
 * errors of `handle`.
 */
export async function answerBody(
  exchange: Exchange,
  handle: Handle,
): Promise<Answer> {
  const { request, load } = exchange;
  const length = readLength(exchange);
  if (isWhole(length, load) && length <= SMALL_BYTES) {
    load.scheduler.noteSmallRequest();
    const body = await receiveWhole(request.bytes(), load);
    const { isOwned } = exchange;
    return await respond(exchange, body, { handle, isOwned });
  }
  const { budget } = load;
  const transfer = new Transfer();
  const reading = isWhole(length, load) &&
      budget.tryReserve(budget.wholes, transfer, length)
    ? request.bytes()
    : undefined;
  try {
    const body = reading === undefined
      ? await receiveChunks(exchange, transfer, length)
      : await receiveWhole(reading, load);
    const isOwned = exchange.isOwned || reading === undefined;
    return await respond(exchange, body, { handle, isOwned });
  } finally {
    // After a 408, the memory stays in use until the read of the body has ended.
    const release = () => budget.release(transfer);
    reading?.then(release, release) ?? release();
  }
}

/** Computes the answer to a body, and sends it. Only the memory of an owned body is freed. */
async function respond(
  exchange: Exchange,
  body: Bytes,
  { handle, isOwned }: { handle: Handle; isOwned: boolean },
): Promise<Answer> {
  const { request, load: { budget, scheduler } } = exchange;
  const isSmall = body.byteLength <= SMALL_BYTES;
  const result = new Transfer();
  const pause = (resultBytes = 0) => {
    if (resultBytes > SMALL_BYTES) {
      return getRoom(exchange, result, resultBytes);
    }
    return isSmall ? undefined : scheduler.pause(request.signal);
  };
  const compute = async () => toSent(await handle(body, pause));
  try {
    const answer = isSmall
      ? await compute()
      : await scheduler.run(compute, request.signal);
    return await send(exchange, answer, { result, compute });
  } catch (error) {
    budget.release(result);
    throw error;
  } finally {
    // The next bodies take its memory; the garbage collector would free it late.
    if (isOwned) freeBuffer(body.buffer);
  }
}

/** Waits for room for a large result, and then for a turn in which it is computed. */
async function getRoom(
  exchange: Exchange,
  result: Transfer,
  bytes: number,
): Promise<void> {
  const { request: { signal }, load: { budget, scheduler } } = exchange;
  if (!tryReserve(exchange, result, bytes)) {
    await budget.reserve(budget.results, result, { bytes, signal });
  }
  await scheduler.pause(signal);
}

/** Reserves bytes for a result, so that it has as many, if there is room. */
function tryReserve(
  { info, load: { budget } }: Exchange,
  result: Transfer,
  bytes: number,
): boolean {
  const { share, reserved } = result;
  if (share !== undefined) {
    return bytes <= reserved ||
      budget.tryReserve(share, result, bytes - reserved);
  }
  return info?.completed !== undefined &&
      budget.tryReserve(budget.wholes, result, bytes) ||
    budget.tryReserve(budget.results, result, bytes);
}

/** Makes bytes of a large answer: they can be freed as soon as they are sent. */
function toSent(answer: Answer): Answer {
  if (answer instanceof Response) return answer;
  const text = toJsonText(answer);
  return typeof text === "string" && Buffer.byteLength(text) > SMALL_BYTES
    ? utf8Encoder.encode(text)
    : text;
}

/** Sends an answer. A large one that finds no room is dropped, and computed again later. */
async function send(
  exchange: Exchange,
  answer: Answer,
  { result, compute }: { result: Transfer; compute: () => Promise<Answer> },
): Promise<Answer> {
  const { info, load: { budget } } = exchange;
  if (!(answer instanceof Uint8Array) || answer.byteLength <= SMALL_BYTES) {
    budget.release(result);
    return answer;
  }
  const { byteLength } = answer;
  if (!tryReserve(exchange, result, byteLength)) {
    freeBuffer(answer.buffer);
    budget.release(result);
    await getRoom(exchange, result, byteLength);
    return await send(exchange, await compute(), { result, compute });
  }
  if (result.share === budget.results) return stream(answer, result, exchange);
  const release = () => budget.release(result);
  info?.completed?.then(release, release);
  // The response has a copy.
  const response = toResponse(answer);
  freeBuffer(answer.buffer);
  return response;
}

/** Sends a result in parts; the rest is dropped if the client is too slow. */
function stream(
  bytes: Bytes,
  transfer: Transfer,
  { info, load, isOwned }: Exchange,
): Response {
  const { byteLength } = bytes;
  let isDropped = false;
  let part = new Uint8Array();
  const drop = () => {
    isDropped = true;
    freeBuffer(bytes.buffer);
    if (isOwned) freeBuffer(part.buffer);
    load.budget.release(transfer);
  };
  transfer.abort = drop;
  info?.completed?.then(drop, drop);
  // During a shutdown the response is held back, so that the client cannot read it yet.
  if (!load.isStopping()) transfer.start = performance.now();
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      if (!isDropped) {
        // A copy, so that a part that the client does not read does not keep the others.
        const end = Math.min(transfer.moved + PART_BYTES, byteLength);
        if (isOwned) freeBuffer(part.buffer);
        part = bytes.slice(transfer.moved, end);
        controller.enqueue(part);
        transfer.moved = end;
        if (end < byteLength) return;
      }
      // A response that ends before its `Content-Length` closes the connection.
      controller.close();
      if (info?.completed === undefined) drop();
    },
    cancel: drop,
  }, { highWaterMark: 0 });
  const response = toResponse(new Response(body));
  response.headers.set("content-type", JSON_TYPE);
  response.headers.set("content-length", String(byteLength));
  return response;
}
