/** Deadlines kept by one timer: a timer each would cost a small request a tenth of its time. */

/** Time between two checks, in milliseconds. */
const INTERVAL_MS = 10;

/** Checks functions now and then, as long as there are any. */
export class Deadlines {
  readonly #checks = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Adds a function that is called every 10 ms. */
  add(check: () => void): void {
    this.#checks.add(check);
    this.#timer ??= setInterval(() => this.#run(), INTERVAL_MS);
  }

  /** Removes a function, if it is there. */
  delete(check: () => void): void {
    this.#checks.delete(check);
  }

  #run(): void {
    for (const check of this.#checks) check();
    if (this.#checks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
