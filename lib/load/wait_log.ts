/** Log lines about large requests that wait long or are answered with 503. */

import { setTimeout } from "node:timers";
import { logWarning } from "../log.ts";

/**
 * Waiting time of a large request above which the request is counted in the log, in
 * milliseconds.
 */
const LONG_WAIT_MS = 3_000;

/**
 * Time from the first request that is counted until a line with the counts is logged, in
 * milliseconds.
 */
const INTERVAL_MS = 60_000;

/** Counts large requests that wait long or are answered with 503, and logs the counts at most once a minute. */
export class WaitLog {
  readonly #intervalMs: number;
  #waited = 0;
  #longestMs = 0;
  #refused = 0;
  #isCounting = false;

  constructor(intervalMs = INTERVAL_MS) {
    this.#intervalMs = intervalMs;
  }

  /**
   * Called after each wait of a large request. Counts the request once, when its waits
   * together exceed 3 seconds.
   *
   * @param beforeMs Total of its earlier waits, in milliseconds.
   * @param waitedMs Total of its waits including this one, in milliseconds.
   */
  noteWait(beforeMs: number, waitedMs: number): void {
    if (waitedMs <= LONG_WAIT_MS) return;
    if (beforeMs <= LONG_WAIT_MS) this.#waited += 1;
    this.#longestMs = Math.max(this.#longestMs, waitedMs);
    this.#start();
  }

  /** Counts a request that is answered with 503 because too many large requests are in progress. */
  noteRefusal(): void {
    this.#refused += 1;
    this.#start();
  }

  #start(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    // `unref()` lets the process end before the line is written.
    setTimeout(this.#write, this.#intervalMs).unref();
  }

  readonly #write = (): void => {
    const longest = this.#waited === 0
      ? ""
      : ` (${(this.#longestMs / 1_000).toFixed(1)} s at most)`;
    logWarning(
      `large requests in the last minute: ${this.#waited} waited longer than 3 s${longest}, ${this.#refused} refused with 503`,
    );
    [this.#waited, this.#longestMs, this.#refused] = [0, 0, 0];
    this.#isCounting = false;
  };
}
