/** The limits that requests share, and those of one request. */

import { HttpError } from "../http_error.ts";
import { Deadlines } from "./deadlines.ts";
import { LargeRequest } from "./large_request.ts";
import { Room } from "./room.ts";
import { Scheduler } from "./scheduler.ts";
import { WaitLog } from "./wait_log.ts";
import type { Work } from "../work.ts";

/** Largest request body or result that is not counted, in bytes, inclusive. */
export const SMALL_BYTES = 32 * 1024;

/** Limit for all threads together, and the smallest one of a thread, in bytes. */
const PROCESS_BYTES = 64 * 1024 * 1024;
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/** The smallest limit of a thread, in largest bodies. */
const MIN_THREAD_BODIES = 6;

/**
 * Memory of a thread from which on two of the largest requests are worked on at a time, in
 * largest bodies: one computes while the other waits for a digest.
 */
const BODIES_FOR_TWO = 32;

/**
 * Memory of the work on a request, in sizes of its body: the joined body, its text and the
 * input; then the input, its copy in UTF-8, and that of the runtime or the result.
 */
const WORK_COPIES = 3;

/** Room for results: as much as the largest of JSON, or of Base64. */
const MIN_RESULTS_BYTES = 8.125 * 1024 * 1024;
const MIN_RESULTS_BODIES = 1.4;

/** Share of a thread's memory for results that the runtime is given whole. */
const QUICK_RESULTS_SHARE = 1 / 64;

/** Share of a thread's memory for bodies of requests that are worked on at once. */
const QUICK_SHARE = 1 / 16;

/** Space of the spare room for bodies beside that for a largest body, in bytes. */
const SPARE_BYTES = 96 * 1024;

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be. */
  readonly completed?: Promise<void>;
}

/** Amounts that the requests of a thread share. */
export interface LoadLimits {
  /** Memory of bodies that are received or wait for a turn, in bytes. */
  readonly bodyBytes: number;
  /** The part of that which one body at a time may use, in bytes. */
  readonly spareBytes: number;
  /** Memory of results until they are sent, in bytes. */
  readonly resultBytes: number;
  /** Bodies of requests that are worked on, in bytes. */
  readonly workBytes: number;
  /** Results that are written at a time. */
  readonly writers: number;
  /** Bodies of requests that are worked on at once, in bytes. */
  readonly quickBytes: number;
  /** Memory of results that the runtime is given whole, in bytes. */
  readonly quickResultBytes: number;
}

/** No limits, for a client on the same machine. */
export const NO_LIMITS: LoadLimits = {
  bodyBytes: Infinity,
  spareBytes: 0,
  resultBytes: Infinity,
  workBytes: Infinity,
  writers: Infinity,
  quickBytes: Infinity,
  quickResultBytes: Infinity,
};

/**
 * Divides the memory of one thread: its share of 64 MiB, but at least 16 MiB and six
 * times the largest body.
 */
export function computeLimits(
  maxBodyBytes: number,
  threads: number,
): LoadLimits {
  const memoryBytes = Math.max(
    PROCESS_BYTES / threads,
    MIN_THREAD_BYTES,
    MIN_THREAD_BODIES * maxBodyBytes,
  );
  const workBytes = maxBodyBytes *
    (memoryBytes < BODIES_FOR_TWO * maxBodyBytes ? 1 : 2);
  const resultBytes = Math.max(
    MIN_RESULTS_BYTES,
    MIN_RESULTS_BODIES * maxBodyBytes,
  );
  const quickResultBytes = QUICK_RESULTS_SHARE * memoryBytes;
  return {
    bodyBytes: memoryBytes - resultBytes - WORK_COPIES * workBytes -
      quickResultBytes,
    spareBytes: maxBodyBytes + SPARE_BYTES,
    resultBytes,
    workBytes,
    writers: 1,
    quickBytes: QUICK_SHARE * memoryBytes,
    quickResultBytes,
  };
}

/** Options of `Load`. */
interface LoadOptions {
  readonly limits: LoadLimits;
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /** Time for a body below 64 KiB/s on average, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** The load of a thread: rooms that its requests share. */
export class Load {
  readonly maxBodyBytes: number;
  readonly bodies: Room;
  readonly work: Room;
  readonly writers: Room;
  readonly results: Room;
  /**
   * Bodies of requests that are worked on as soon as they have come, without a turn: what
   * waits in memory takes twice the time, since it is in no cache any more.
   */
  readonly quick: Room;
  /** Results that the runtime is given whole, which cannot be aborted. */
  readonly quickResults: Room;
  readonly deadlines: Deadlines;
  readonly scheduler: Scheduler = new Scheduler();
  readonly waitLog: WaitLog = new WaitLog();

  constructor(options: LoadOptions) {
    const { limits, maxBodyBytes, bodyTimeoutMs, isStopping } = options;
    const { bodyBytes, spareBytes, resultBytes, workBytes, writers } = limits;
    this.maxBodyBytes = maxBodyBytes;
    this.deadlines = new Deadlines(bodyTimeoutMs);
    const { waitLog } = this;
    // While the service stops, bodies that have been received are still worked on.
    this.bodies = new Room(bodyBytes, {
      spare: spareBytes,
      isStopping,
      waitLog,
    });
    this.work = new Room(workBytes, { waitLog });
    this.writers = new Room(writers, { waitLog });
    this.results = new Room(resultBytes, { waitLog });
    this.quick = new Room(limits.quickBytes, { waitLog });
    this.quickResults = new Room(limits.quickResultBytes, { waitLog });
  }
}

/** A request, with everything that bounds its load. */
export interface RequestScope {
  readonly request: Request;
  readonly info?: ServeInfo | undefined;
  readonly load: Load;
  /** The request if it is large; a tool call shares that of its message. */
  large?: LargeRequest | undefined;
}

/** Returns a request as a large one. */
export function getLarge(scope: RequestScope): LargeRequest {
  return scope.large ??= new LargeRequest(scope.request);
}

/**
 * Reserves room to work on a large request as soon as its body has come, without a turn.
 * Returns whether there is room.
 *
 * @param bytes Size of its body, in bytes.
 */
export function tryStartQuick(scope: RequestScope, bytes: number): boolean {
  const { quick, bodies } = scope.load;
  const large = getLarge(scope);
  if (bodies.waiting > 0 || !quick.tryReserve(large, bytes)) return false;
  if (bodies.tryReserve(large, WORK_COPIES * bytes)) return true;
  quick.release(large);
  return false;
}

/** Releases the room of a request that is worked on without a turn. */
export function endQuick({ quick, bodies }: Load, large: LargeRequest): void {
  quick.release(large);
  bodies.release(large);
}

/**
 * Waits for a turn to work on a large request, unless it has one.
 *
 * @param bytes Size of its body, in bytes.
 * @throws {HttpError} 503 or 499, in the cases of `Room.reserve()`.
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
 * Runs work to its first pause at once, and the rest in slices.
 *
 * @throws {HttpError} 499 if the client disconnects; and errors of the work.
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
 * Ends the turn of a large request when its response is made, and tells the client if its
 * connection will be closed.
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
