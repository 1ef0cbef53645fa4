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
  type JsonText,
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
import { doNotPause, type Pause } from "./router.ts";

/** Size of the parts in which a large result is sent, in bytes. */
const PART_BYTES = 256 * 1024;

/** Computes the answer from the body of a request. */
export type Handle = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

type Compute = () => Answer | Promise<Answer>;

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
): Promise<Answer | JsonText> {
  const { request, load } = exchange;
  const length = readLength(exchange);
  if (isWhole(length, load) && length <= SMALL_BYTES) {
    load.scheduler.noteSmallRequest();
    const body = await receiveWhole(request.bytes(), load);
    const compute = () => handle(body, doNotPause);
    return await send(exchange, await compute(), compute);
  }
  const { budget, scheduler } = load;
  const { signal } = request;
  const transfer = new Transfer();
  const reading = isWhole(length, load) &&
      budget.tryReserve(budget.wholes, transfer, length)
    ? request.bytes()
    : undefined;
  let body: Bytes | undefined;
  try {
    const received = reading === undefined
      ? await receiveChunks(exchange, transfer, length)
      : await receiveWhole(reading, load);
    body = received;
    const isSmall = received.byteLength <= SMALL_BYTES;
    const pause = isSmall ? doNotPause : () => scheduler.pause(signal);
    const compute = () => handle(received, pause);
    const answer = isSmall
      ? await compute()
      : await scheduler.run(compute, signal);
    return await send(exchange, answer, compute);
  } finally {
    // The next bodies take its memory; the garbage collector would free it late.
    if (body !== undefined) freeBuffer(body.buffer);
    // A body that arrives too late takes its memory until it ends.
    const release = () => budget.release(transfer);
    reading?.then(release, release) ?? release();
  }
}

/** Sends an answer. A large one that finds no room is dropped, and computed again later. */
function send(
  exchange: Exchange,
  answer: Answer,
  compute: Compute,
): Answer | JsonText | Promise<Response> {
  if (answer instanceof Response) return answer;
  const text = toJsonText(answer);
  const byteLength = Buffer.byteLength(text);
  if (byteLength <= SMALL_BYTES) return text;
  const { info, load: { budget } } = exchange;
  const transfer = new Transfer();
  const completed = info?.completed;
  if (completed && budget.tryReserve(budget.wholes, transfer, byteLength)) {
    const release = () => budget.release(transfer);
    completed.then(release, release);
    return text;
  }
  return budget.tryReserve(budget.results, transfer, byteLength)
    ? stream(toBytes(text), transfer, exchange)
    : sendLater(byteLength, compute, { exchange, transfer });
}

/** Waits for room for a result, and computes it again. */
async function sendLater(
  byteLength: number,
  compute: Compute,
  { exchange, transfer }: { exchange: Exchange; transfer: Transfer },
): Promise<Response> {
  const { request: { signal }, load: { budget, scheduler } } = exchange;
  const { results } = budget;
  await budget.reserve(results, transfer, { bytes: byteLength, signal });
  try {
    const answer = await scheduler.run(compute, signal);
    const bytes = toBytes(toJsonText(answer));
    return stream(bytes, transfer, exchange);
  } catch (error) {
    budget.release(transfer);
    throw error;
  }
}

function toBytes(text: JsonText): Bytes {
  return typeof text === "string" ? utf8Encoder.encode(text) : text;
}

/** Sends a result in parts, of which the rest is dropped if the client is too slow. */
function stream(
  bytes: Bytes,
  transfer: Transfer,
  { info, load }: Exchange,
): Response {
  const { byteLength } = bytes;
  let isDropped = false;
  const drop = () => {
    isDropped = true;
    freeBuffer(bytes.buffer);
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
        controller.enqueue(bytes.slice(transfer.moved, end));
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
  response.headers.set("content-type", "application/json");
  response.headers.set("content-length", String(byteLength));
  return response;
}
