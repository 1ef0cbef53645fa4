/** The load of a thread: memory and time that its large requests share, and limits of each request. */

import { HttpError } from "../http_error.ts";
import { Deadlines } from "./deadlines.ts";
import { LargeRequest } from "./large_request.ts";
import { Room } from "./room.ts";
import { Scheduler } from "./scheduler.ts";
import { WaitLog } from "./wait_log.ts";
import type { Work } from "../work.ts";

/** Largest request body or result that counts as small, in bytes, inclusive. Limits of memory and time slices apply only to larger ones. */
export const SMALL_BYTES = 32 * 1024;

/** Memory for the large requests of all threads together, in bytes. */
const PROCESS_BYTES = 64 * 1024 * 1024;
/** Minimum memory for the large requests of each thread, in bytes. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/** Minimum memory for the large requests of each thread, as a multiple of the largest request body. */
const MIN_THREAD_BODIES = 6;

/** If a thread has at least this memory (a multiple of the largest request body), it works on two requests of that size at a time: one computes while the other waits for a digest. */
const BODIES_FOR_TWO = 32;

/**
 * Memory for the work on a request, as a multiple of its body: space for three copies.
 * While the body is parsed, these are the body, its text and the parsed input. Then they
 * are the input, its UTF-8 bytes, and the runtime's copy of these bytes (for a digest) or
 * the result (otherwise).
 */
const WORK_COPIES = 3;

/** Minimum memory for results, in bytes: space for the largest JSON result. */
const MIN_RESULTS_BYTES = 8.125 * 1024 * 1024;
/** Minimum memory for results, as a multiple of the largest body: space for the largest Base64 result. */
const MIN_RESULTS_BODIES = 1.4;

/** Share of a thread's memory that is for results passed to Deno in one piece, not streamed. */
const QUICK_RESULTS_SHARE = 1 / 64;

/** Share of a thread's memory for the bodies of quick requests: work on them begins as soon as the body has arrived, without a wait in the queue. */
const QUICK_SHARE = 1 / 16;

/** Space in the spare room (see `room.ts`) for the unfilled end of the buffers, beyond the size of the largest body, in bytes. */
const SPARE_BYTES = 96 * 1024;

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
}

/** Limits that all large requests of a thread share. */
export interface LoadLimits {
  /** Largest amount of memory that all bodies together take, from their arrival until the work on them begins, in bytes. */
  readonly bodyBytes: number;
  /** Part of `bodyBytes` that only one body at a time may use, in bytes. It is larger than any body, so that this body always arrives whole. */
  readonly spareBytes: number;
  /** Largest amount of memory that all results together take until they are sent, in bytes. */
  readonly resultBytes: number;
  /** Largest total size of the bodies of those requests that have their turn to be worked on (see `LargeRequest`), in bytes. */
  readonly workBytes: number;
  /** Largest number of results that are written at a time. */
  readonly writers: number;
  /** Largest total size of the bodies of those requests that are worked on as soon as they have arrived, without a wait for their turn, in bytes. */
  readonly quickBytes: number;
  /** Largest amount of memory that all those results together take which are passed to Deno in one piece, not streamed, in bytes. */
  readonly quickResultBytes: number;
}

/** No limits, for a service whose only client is on the same machine. */
export const NO_LIMITS: LoadLimits = {
  bodyBytes: Infinity,
  spareBytes: 0,
  resultBytes: Infinity,
  workBytes: Infinity,
  writers: Infinity,
  quickBytes: Infinity,
  quickResultBytes: Infinity,
};

/** Computes the limits of a thread. Its memory is 64 MiB divided by the number of threads, but at least 16 MiB and six times the largest body. */
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
  /** Time limit for the arrival of a body that averages less than 64 KiB/s, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** The load of a thread: its rooms (limits that large requests share, see `room.ts`), and its timers. */
export class Load {
  readonly maxBodyBytes: number;
  readonly bodies: Room;
  readonly work: Room;
  readonly writers: Room;
  readonly results: Room;
  /**
   * Limit for bodies of requests that are worked on at once, without a wait for their
   * turn: after a wait the work takes twice the time (`docs/speed.md`).
   */
  readonly quick: Room;
  /** Limit for results that are passed to Deno in one piece, which cannot be aborted. */
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
    // During a shutdown, bodies that wait for memory are rejected. Requests whose bodies have been received are still worked on.
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

/** A request, with the limits that apply to it. */
export interface RequestScope {
  readonly request: Request;
  readonly info?: ServeInfo | undefined;
  readonly load: Load;
  /** Set when the request turns out to be large. */
  large?: LargeRequest | undefined;
}

/** Returns the `LargeRequest` of a request; the first call creates it. */
export function getLarge(scope: RequestScope): LargeRequest {
  return scope.large ??= new LargeRequest(scope.request);
}

/**
 * Reserves memory to work on a large request as soon as its body has arrived, without
 * waiting for its turn. Returns whether enough memory was free.
 *
 * @param bytes Size of the request's body.
 */
export function tryStartQuick(scope: RequestScope, bytes: number): boolean {
  const { quick, bodies } = scope.load;
  const large = getLarge(scope);
  if (bodies.waiting > 0 || !quick.tryReserve(large, bytes)) return false;
  if (bodies.tryReserve(large, WORK_COPIES * bytes)) return true;
  quick.release(large);
  return false;
}

/** Releases what `tryStartQuick()` has reserved for a request. */
export function endQuick({ quick, bodies }: Load, large: LargeRequest): void {
  quick.release(large);
  bodies.release(large);
}

/**
 * Waits until a large request has its turn (see `LargeRequest`); does not wait if it has
 * one already.
 *
 * @param bytes Size of the request's body.
 * @throws {HttpError} 503 if the request waits too long, or too many wait; 499 if the client disconnects while the request waits.
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
 * Runs work until its first pause at once, and the rest in time slices (see `Scheduler`).
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

/** Waits until the response is created, then releases all that was reserved for the work on the request. Adds `Connection: close` if the connection will be closed. */
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
