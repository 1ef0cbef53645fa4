/** Deadlines of many transfers, kept by one timer: a timer each costs a small request a tenth of its time. */

/** Shortest time between two checks, in milliseconds. */
const MIN_INTERVAL_MS = 10;

/** Called once a deadline has passed; may postpone it by the milliseconds returned. */
type OnPassed = () => number | void;

/** A deadline that has been set. */
export interface Deadline {
  /** Time in milliseconds of `performance.now()`. */
  time: number;
  readonly onPassed: OnPassed;
}

/** A set of deadlines. */
export class Deadlines {
  readonly #pending = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerTime = Infinity;

  /** Sets a deadline, in milliseconds from now. */
  set(milliseconds: number, onPassed: OnPassed): Deadline {
    const time = performance.now() + milliseconds;
    const deadline = { time, onPassed };
    this.#pending.add(deadline);
    if (time < this.#timerTime) this.#checkAt(time);
    return deadline;
  }

  /** Clears a deadline, if it has not passed. */
  clear(deadline: Deadline): void {
    this.#pending.delete(deadline);
  }

  #checkAt(time: number): void {
    clearTimeout(this.#timer);
    this.#timerTime = time;
    const milliseconds = Math.max(time - performance.now(), MIN_INTERVAL_MS);
    this.#timer = setTimeout(() => this.#check(), milliseconds);
  }

  #check(): void {
    const now = performance.now();
    let nextTime = Infinity;
    for (const deadline of this.#pending) {
      if (deadline.time <= now) {
        const postponedMs = deadline.onPassed();
        if (postponedMs === undefined) this.#pending.delete(deadline);
        else deadline.time = now + postponedMs;
      }
      if (this.#pending.has(deadline)) {
        nextTime = Math.min(nextTime, deadline.time);
      }
    }
    this.#timerTime = Infinity;
    if (nextTime < Infinity) this.#checkAt(nextTime);
  }
}
