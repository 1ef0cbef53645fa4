/** Rejects request bodies that do not arrive in time. */

import { HttpError } from "../http/http_error.ts";
import type { Transfer } from "./budget.ts";

/** Time between two checks, in milliseconds. */
const INTERVAL_MS = 100;

/** The bodies that are being received. They share one timer. */
export class Deadlines {
  readonly #bodies = new Set<Transfer>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in
   * milliseconds.
   */
  constructor(readonly timeoutMs: number) {}

  /** Starts to watch a body, which is aborted with 408 if it arrives too late. */
  add(body: Transfer): void {
    this.#bodies.add(body);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS);
  }

  delete(body: Transfer): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    const latestStart = performance.now() - this.timeoutMs;
    const message =
      `the body must arrive within ${this.timeoutMs} milliseconds`;
    for (const body of this.#bodies) {
      if (body.start > latestStart || !body.isSlow(0)) continue;
      body.abort(new HttpError(408, message, { connection: "close" }));
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
