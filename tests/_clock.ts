/** A clock that stands still until a test lets time pass. */

import { replace } from "./_replace.ts";

interface Timer {
  readonly run: () => void;
  readonly intervalMs: number;
  next: number;
}

/** Replaces `performance.now()` and intervals until its disposal. */
export class FakeClock implements Disposable {
  #now = 1_000;
  readonly #timers = new Map<number, Timer>();
  readonly #replaced = new DisposableStack();
  #count = 0;

  constructor() {
    const setInterval = (run: () => void, intervalMs: number) => {
      this.#count += 1;
      const next = this.#now + intervalMs;
      this.#timers.set(this.#count, { run, intervalMs, next });
      return this.#count;
    };
    const clearInterval = (id: number) => void this.#timers.delete(id);
    const clock = { setInterval, clearInterval } as unknown;
    this.#replaced.use(replace(globalThis, clock as typeof globalThis));
    this.#replaced.use(replace(performance, { now: () => this.#now }));
  }

  /** Lets milliseconds pass, and then everything that depends on promises alone. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      for (let i = 0; i < 10; i += 1) await Promise.resolve();
      const due = [...this.#timers.values()].sort((a, b) => a.next - b.next)[0];
      if (due === undefined || due.next > end) break;
      this.#now = due.next;
      due.next += due.intervalMs;
      due.run();
    }
    this.#now = end;
  }

  [Symbol.dispose](): void {
    this.#replaced.dispose();
  }
}
