/**
 * Reading of request bodies. A small body whose length the server vouches for is
 * read in one call; any other is counted while it is read, and part of the budget.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import { runAtOnce, type Work } from "../work.ts";
import {
  BodyBuffer,
  createBrokenError,
  createSizeError,
} from "./body_buffer.ts";
import { getAheadMs, MIN_BYTES_PER_SECOND, SMALL_BYTES } from "./budget.ts";
import type { Load } from "./load.ts";

/**
 * Reads the whole body of a request, empty if there is none, and parses it. The
 * parsing of a large body runs in slices.
 *
 * @throws {HttpError} 413 for a body above the limit, 408 for one that is late, 503
 * for one for which the budget has no room, 400 for one that breaks off or comes in
 * too many small chunks; and errors of `parse`.
 */
export function readBody<Value>(
  load: Load,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  const length = load.request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > load.maxBodyBytes) throw createSizeError(load);
  return length !== null && claimedBytes <= SMALL_BYTES && load.info?.completed
    ? readSmallBody(load, claimedBytes, parse)
    : readCountedBody(load, claimedBytes, parse);
}

/** Reads a body with one promise, since each costs a hundredth of a small request. */
function readSmallBody<Value>(
  load: Load,
  length: number,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  load.scheduler.noteSmallRequest();
  return new Promise((resolve, reject) => {
    const slowestMs = 1_000 * length / MIN_BYTES_PER_SECOND;
    const timeoutMs = Math.max(load.bodyTimeoutMs, slowestMs);
    const endTime = performance.now() + timeoutMs;
    function check(): void {
      if (performance.now() < endTime) return;
      load.deadlines.delete(check);
      // The runtime closes the connection, and says so.
      reject(createLateError(load));
    }
    load.deadlines.add(check);
    load.request.bytes().then((body) => {
      load.deadlines.delete(check);
      resolve(runAtOnce(parse(body)));
    }, () => {
      load.deadlines.delete(check);
      reject(createBrokenError());
    }).catch(reject);
  });
}

/** Reads a body chunk by chunk. */
async function readCountedBody<Value>(
  load: Load,
  claimedBytes: number,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  const { request, budget, scheduler, deadlines } = load;
  if (request.body === null) {
    return scheduler.run(request, parse(new Uint8Array()));
  }
  if (claimedBytes > SMALL_BYTES) budget.makeRoom(claimedBytes);
  const buffer = new BodyBuffer(request.body, load, claimedBytes);
  const endTime = buffer.startTime + load.bodyTimeoutMs;
  function check(): void {
    if (performance.now() < endTime || getAheadMs(buffer) > 0) return;
    buffer.refuse(createLateError(load, { connection: "close" }));
  }
  deadlines.add(check);
  try {
    await buffer.readAll();
    deadlines.delete(check);
    if (buffer.movedBytes > SMALL_BYTES) await scheduler.waitForSlice(request);
    else scheduler.noteSmallRequest();
    return await scheduler.run(request, parse(buffer.bytes));
  } finally {
    deadlines.delete(check);
    budget.release(buffer);
    buffer.free();
  }
}

function createLateError({ bodyTimeoutMs }: Load, headers = {}): HttpError {
  const message = `the body must arrive within ${bodyTimeoutMs} milliseconds`;
  return new HttpError(408, message, headers);
}
