/** Times by which bodies must have arrived. */

import { HttpError } from "../http_error.ts";
import { isSlow, MIN_BYTES_PER_SECOND, type Transfer } from "./room.ts";

/** Time between two checks, in milliseconds. */
const INTERVAL_MS = 100;

/** Aborts late bodies. One timer serves all: one each would take a tenth of the time of a small request. */
export class Deadlines {
  readonly #timeoutMs: number;
  // To add to and delete from a set would take another tenth.
  readonly #bodies: Transfer[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param timeoutMs Time for a body below 64 KiB/s on average, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a body of this length is slow if it has not arrived when its time is over. */
  isTimely(bytes: number): boolean {
    return bytes <= this.#timeoutMs / 1_000 * MIN_BYTES_PER_SECOND;
  }

  /** Adds a body, which is aborted with 408 if it is late. */
  add(body: Transfer): void {
    this.#bodies.push(body);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS);
  }

  /** Removes a body, exactly once. */
  delete(body: Transfer): void {
    // From the end, since most bodies before it have stalled.
    const index = this.#bodies.lastIndexOf(body);
    const last = this.#bodies.pop()!;
    if (last !== body) this.#bodies[index] = last;
  }

  #check(): void {
    const message =
      `the body must arrive within ${this.#timeoutMs} milliseconds`;
    const latestStart = performance.now() - this.#timeoutMs;
    for (const body of this.#bodies) {
      if (body.startTime > latestStart || !isSlow(body, 0)) continue;
      body.abort(new HttpError(408, message, { connection: "close" }));
    }
    if (this.#bodies.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
