/**
 * Limits of memory and time that the large requests of a thread share, and functions that
 * reserve parts of them for a request.
 */

import { HttpError } from "../http_error.ts";
import { Deadlines } from "./deadlines.ts";
import { LargeRequest } from "./large_request.ts";
import { type LoadLimits, WORK_COPIES } from "./limits.ts";
import { Room } from "./room.ts";
import { Scheduler } from "./scheduler.ts";
import { WaitLog } from "./wait_log.ts";
import type { Work } from "../work.ts";

/**
 * Largest size of a request body or result that counts as small, in bytes, inclusive.
 * Memory is limited only for larger ones, and only these are worked on in time slices.
 */
export const SMALL_BYTES = 32 * 1024;

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
}

/** Options of `Load`. */
interface LoadOptions {
  readonly limits: LoadLimits;
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /** Time limit for the arrival of a body that averages less than 64 KiB/s, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
  /** Whether the memory of a large result is freed once it has been sent; false by default. */
  readonly freesResults?: boolean;
}

/** The limits of memory and time of a thread. Its large requests share each limit (a `Room`). */
export class Load {
  readonly maxBodyBytes: number;
  readonly freesResults: boolean;
  readonly keptConnections: number;
  readonly isStopping: () => boolean;
  readonly bodies: Room;
  readonly work: Room;
  readonly writers: Room;
  readonly results: Room;
  /**
   * Limit for the bodies that are worked on as soon as they have arrived, without waiting
   * in the queue. Such work takes half the time, since the body is still in a cache of the
   * processor.
   */
  readonly quick: Room;
  /**
   * Limit for results that are passed to Deno in one piece. Such a result cannot be aborted
   * if its client reads too slowly.
   */
  readonly quickResults: Room;
  readonly deadlines: Deadlines;
  readonly scheduler: Scheduler = new Scheduler();
  readonly waitLog: WaitLog = new WaitLog();

  constructor(options: LoadOptions) {
    const { limits, maxBodyBytes, bodyTimeoutMs, isStopping } = options;
    const { bodyBytes, spareBytes, resultBytes, workBytes, writers } = limits;
    this.maxBodyBytes = maxBodyBytes;
    this.isStopping = isStopping;
    this.freesResults = options.freesResults ?? false;
    this.keptConnections = limits.keptConnections;
    this.deadlines = new Deadlines(bodyTimeoutMs);
    const { waitLog } = this;
    // Only `bodies` rejects requests during a shutdown: those that wait for memory to
    // receive their bodies. Requests whose bodies have been received are still worked on.
    this.bodies = new Room(bodyBytes, {
      spare: spareBytes,
      isStopping,
      waitLog,
    });
    this.work = new Room(workBytes, { waitLog });
    this.writers = new Room(writers, { waitLog });
    this.results = new Room(resultBytes, { waitLog, lender: this.bodies });
    this.quick = new Room(limits.quickBytes, { waitLog });
    this.quickResults = new Room(limits.quickResultBytes, { waitLog });
  }
}

/** A request, with the limits that apply to it. */
export interface RequestScope {
  readonly request: Request;
  readonly info?: ServeInfo | undefined;
  readonly load: Load;
  /** Set as soon as the request is known to be large. */
  large?: LargeRequest | undefined;
}

/** Returns the `LargeRequest` of a request; the first call creates it. */
export function getLarge(scope: RequestScope): LargeRequest {
  return scope.large ??= new LargeRequest(scope.request);
}

/**
 * Reserves memory for a large request that is worked on as soon as its body has arrived,
 * without waiting in the queue. Returns false, and reserves nothing, if too little memory
 * is free or bodies wait for memory. Never uses the spare part of that memory: a client that
 * stalls would keep it from all other bodies.
 *
 * @param bytes Size of the request's body.
 */
export function tryStartQuick(scope: RequestScope, bytes: number): boolean {
  const { quick, bodies } = scope.load;
  const large = getLarge(scope);
  if (!quick.tryReserve(large, bytes)) return false;
  if (bodies.tryLend(large, WORK_COPIES * bytes)) return true;
  quick.release(large);
  return false;
}

/** Releases what `tryStartQuick()` has reserved for a request. */
export function endQuick({ quick, bodies }: Load, large: LargeRequest): void {
  quick.release(large);
  bodies.release(large);
}

/**
 * Waits in the queue until a large request has its turn to be worked on. Returns at once if
 * the request has its turn already.
 *
 * @param bytes Size of the request's body.
 * @throws {HttpError} 503 if the request waits too long, or too many wait; 499 if the
 * client disconnects while the request waits.
 */
export async function takeTurn(
  scope: RequestScope,
  bytes: number,
): Promise<void> {
  const large = getLarge(scope);
  const { work, scheduler } = scope.load;
  if (work.has(large)) return;
  await work.reserve(large, bytes);
  await scheduler.startShort();
}

/**
 * Runs the work on a large request: at once up to the first point where the work can pause,
 * and the rest in time slices, between which small requests are answered.
 *
 * @throws {HttpError} 499 if the client disconnects; and the errors that the work throws.
 */
export function runLarge<Value>(
  scope: RequestScope,
  work: Work<Value>,
): Value | Promise<Value> {
  const step = work.next();
  if (step.done) return step.value;
  return scope.load.scheduler.runInSlices(getLarge(scope), work);
}

/**
 * Waits until the response is created, then releases everything that was reserved for the
 * work on the request. Adds `Connection: close` to the response if its connection is to be
 * closed.
 */
export async function endTurn(
  { large, load }: RequestScope,
  response: Response | Promise<Response>,
): Promise<Response> {
  try {
    response = await response;
    if (large?.mustClose) response.headers.set("connection", "close");
    return response;
  } catch (error) {
    if (!(large?.mustClose && error instanceof HttpError)) throw error;
    const { status, message, headers } = error;
    throw new HttpError(status, message, { ...headers, connection: "close" });
  } finally {
    if (large !== undefined) {
      load.work.release(large);
      const release = () => endQuick(load, large);
      large.reading?.then(release, release) ?? release();
    }
  }
}
