/** Requests, rooms, bodies and results for the tests of the load control. */

import type { HttpError } from "../../lib/http_error.ts";
import { BodyBuffer } from "../../lib/load/body_buffer.ts";
import { LargeRequest } from "../../lib/load/large_request.ts";
import { type LoadLimits, NO_LIMITS } from "../../lib/load/limits.ts";
import { Load } from "../../lib/load/load.ts";
import { type Holder, Room } from "../../lib/load/room.ts";
import { StreamedResult } from "../../lib/load/streamed_result.ts";
import { WaitLog } from "../../lib/load/wait_log.ts";

export const MIB = 1024 * 1024;

export function createLarge(signal?: AbortSignal): LargeRequest {
  return new LargeRequest(new Request("http://h", signal ? { signal } : {}));
}

/** A transfer that started some time ago. */
export function createTransfer(ageMs: number, movedBytes = 0) {
  const large = createLarge();
  const startTime = performance.now() - ageMs;
  const transfer = { large, startTime, movedBytes, isAborted: false, abort };
  function abort(): void {
    transfer.isAborted = true;
  }
  return transfer satisfies Holder;
}

export function createRoom(
  limit: number,
  { spare = 0, isStopping = () => false, waitLog = new WaitLog() }: Partial<
    ConstructorParameters<typeof Room>[1]
  > = {},
): Room {
  return new Room(limit, { spare, isStopping, waitLog });
}

export function createLoad(
  { freesResults = false, ...limits }: Partial<LoadLimits> & {
    readonly freesResults?: boolean;
  } = {},
): Load {
  return new Load({
    freesResults,
    limits: { ...NO_LIMITS, bodyBytes: 100_000, ...limits },
    maxBodyBytes: MIB,
    bodyTimeoutMs: 10_000,
    isStopping: () => false,
  });
}

export function createResult(load: Load): StreamedResult {
  return new StreamedResult({ request: new Request("http://h"), load });
}

export function createBody(
  load: Load,
  body: BodyInit,
  headers: Record<string, string>,
): BodyBuffer {
  const init = { method: "POST", headers: { host: "h", ...headers }, body };
  const request = new Request("http://h", init);
  return new BodyBuffer({ request, load }, request.body!);
}

/** Reserves room, and notes in a log when it is there, or the status of the error. */
export function reserve(
  log: unknown[],
  room: Room,
  { holder, amount, name }: { holder: Holder; amount: number; name: string },
): Promise<void> {
  return Promise.resolve(room.reserve(holder, amount)).then(
    () => void log.push(name),
    ({ status }: HttpError) => void log.push(`${name}: ${status}`),
  );
}

/** Waits for what depends on promises alone, not on timers or the network. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
}
