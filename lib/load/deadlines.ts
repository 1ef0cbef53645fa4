/** Aborts bodies that do not arrive in time. */

import { LateError } from "./errors.ts";
import type { Transfer } from "./transfer.ts";

/** Time between two checks, in milliseconds. */
const CHECK_MS = 100;

/** The time limits of all bodies that are being received, with one timer. */
export class Deadlines {
  readonly #bodies = new Set<Transfer>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in
   * milliseconds.
   */
  constructor(readonly timeoutMs: number) {}

  /** Adds a body that begins to arrive. If it arrives too late, it is aborted and deleted. */
  add(body: Transfer): void {
    this.#bodies.add(body);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
  }

  delete(body: Transfer): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    for (const body of this.#bodies) {
      if (body.elapsedMs <= this.timeoutMs || body.delayMs <= 0) continue;
      this.#bodies.delete(body);
      body.abort(new LateError(this.timeoutMs));
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
