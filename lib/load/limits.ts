/** The limits of memory that the large requests of a thread share, and how they are computed. */

/** Memory that is divided among all threads, for their large requests, in bytes. */
const PROCESS_BYTES = 64 * 1024 * 1024;
/** Minimum memory for the large requests of each thread, in bytes. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/**
 * Minimum memory for the large requests of each thread, as a multiple of the largest request
 * body, in addition to `RESULT_BYTES`: space for the largest result, for the work on one
 * body, for the body that uses `spareBytes`, and for half of another.
 */
const MIN_THREAD_BODIES = 6;

/**
 * Memory of a thread, as a multiple of the largest request body, from which on the thread
 * works on two bodies of that size at a time. While one waits for its digest, which another
 * thread computes, the other can be worked on.
 */
const BODIES_FOR_TWO = 32;

/**
 * Memory for the work on a request, as a multiple of its body. At most three copies of the
 * data exist at a time: at first the body, its text and the parsed input; later the input,
 * its UTF-8 bytes, and the result or (for a digest) the runtime's copy of the bytes.
 */
export const WORK_COPIES = 3;

/** Largest result of `format`, in bytes, without escapes. */
const RESULT_BYTES = 8 * 1024 * 1024;
/**
 * Minimum memory for results, in bytes: space for the largest result of `format`. Its
 * escapes, one byte for each quote and line break, may take more space: up to the length of
 * the body. Such a result takes unused memory for bodies, or waits until it is the only one.
 */
const MIN_RESULTS_BYTES = RESULT_BYTES + 128 * 1024;
/** Minimum memory for results, as a multiple of the largest body: space for the largest Base64 result. */
const MIN_RESULTS_BODIES = 1.4;

/**
 * Share of a thread's memory for results that are passed to Deno in one piece. Other large
 * results are streamed.
 */
const QUICK_RESULTS_SHARE = 1 / 64;

/**
 * Largest total size of the bodies that are worked on as soon as they have arrived, without
 * waiting in the queue, as a share of the thread's memory.
 */
const QUICK_SHARE = 1 / 16;

/**
 * Difference between `spareBytes`, the memory that only one body at a time may use, and the
 * size of the largest body, in bytes. The buffers of a body take more memory than its
 * bytes, since their ends may stay unfilled.
 */
const SPARE_BYTES = 96 * 1024;

/**
 * Number of connections that may stay open while their clients wait with large requests,
 * divided among all threads. Deno 2.9.6 keeps up to 0.8 MiB for a connection that has
 * carried large bodies.
 */
const KEPT_CONNECTIONS = 192;

/** Limits that all large requests of a thread share. */
export interface LoadLimits {
  /**
   * Largest amount of memory for all bodies together, in bytes: while they are received and
   * wait, and during the work on those that do not wait in the queue.
   */
  readonly bodyBytes: number;
  /**
   * Part of `bodyBytes` that only one of the bodies that can wait may use at a time, in
   * bytes. It has space for the largest body, so that one body can always be received to
   * its end.
   */
  readonly spareBytes: number;
  /**
   * Largest amount of memory for all streamed results together, in bytes, in addition to
   * unused memory for bodies. A result takes memory until it has been sent.
   */
  readonly resultBytes: number;
  /** Largest total size of the bodies that are worked on after waiting in the queue, in bytes. */
  readonly workBytes: number;
  /** Largest number of results that are written at a time. */
  readonly writers: number;
  /**
   * Largest total size of the bodies that are worked on as soon as they have arrived,
   * without waiting in the queue, in bytes.
   */
  readonly quickBytes: number;
  /**
   * Largest amount of memory for all results together that are passed to Deno in one piece,
   * not streamed, in bytes.
   */
  readonly quickResultBytes: number;
  /**
   * Number of requests that wait for memory for their bodies, up to which no connection is
   * closed. If more wait, about so many connections stay open.
   */
  readonly keptConnections: number;
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
  keptConnections: Infinity,
};

/**
 * Computes the limits of a thread. The memory for all its large requests is 64 MiB divided
 * by the number of threads, but at least 16 MiB, and at least 8 MiB and six times the
 * largest body. There are no limits if bodies have none.
 */
export function computeLimits(
  maxBodyBytes: number,
  threads: number,
): LoadLimits {
  if (maxBodyBytes === Infinity) return NO_LIMITS;
  const memoryBytes = Math.max(
    PROCESS_BYTES / threads,
    MIN_THREAD_BYTES,
    RESULT_BYTES + MIN_THREAD_BODIES * maxBodyBytes,
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
    keptConnections: KEPT_CONNECTIONS / threads,
  };
}
