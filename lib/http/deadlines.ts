/** Deadlines for many things at a time. */

/** A deadline that has been set. */
export interface Deadline {
  /** When it passes, in milliseconds of `performance.now()`. */
  readonly time: number;
  readonly onPassed: () => void;
}

/**
 * Deadlines that all lie equally far ahead. They share one timer: setting and
 * clearing one for each would cost a small request a tenth of its time.
 */
export class Deadlines {
  readonly #milliseconds: number;
  /** In the order in which they were set, which is that in which they pass. */
  readonly #pending = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Sets a deadline; the function is called when it passes. */
  set(onPassed: () => void): Deadline {
    const time = performance.now() + this.#milliseconds;
    const deadline = { time, onPassed };
    this.#pending.add(deadline);
    this.#timer ??= setTimeout(() => this.#pass(), this.#milliseconds);
    return deadline;
  }

  /** Clears a deadline, which may have passed. */
  clear(deadline: Deadline): void {
    this.#pending.delete(deadline);
  }

  #pass(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const deadline of this.#pending) {
      if (deadline.time > now) {
        this.#timer = setTimeout(() => this.#pass(), deadline.time - now);
        return;
      }
      this.#pending.delete(deadline);
      deadline.onPassed();
    }
  }
}
