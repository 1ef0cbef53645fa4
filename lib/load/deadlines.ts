/** Aborts request bodies that do not arrive in time. */

import { LateError } from "./errors.ts";
import type { Transfer } from "./transfer.ts";

/** Time between two checks for late bodies, in milliseconds. */
const CHECK_MS = 100;

/** Checks the time limits of all bodies that a thread is receiving, with one timer. */
export class Deadlines {
  readonly #bodies = new Set<Transfer>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in
   * milliseconds. Only the time for which the service waits for the client counts.
   */
  constructor(readonly timeoutMs: number) {}

  /** Watches a body. If it exceeds its time limit, aborts it, with a `LateError`. */
  add(body: Transfer): void {
    this.#bodies.add(body);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
  }

  /** Stops watching a body. The timer ends with the last body. */
  delete(body: Transfer): void {
    this.#bodies.delete(body);
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    for (const body of this.#bodies) {
      if (body.elapsedMs <= this.timeoutMs || body.delayMs <= 0) continue;
      this.delete(body);
      body.abort(new LateError(this.timeoutMs));
    }
  }
}
