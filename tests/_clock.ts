/** A clock that only moves when a test says so. */

import FakeTimers from "@sinonjs/fake-timers";

/** A stopped clock: `setTimeout()` and `performance.now()` follow it. */
export interface Clock extends Disposable {
  /** Number of timers that are set. */
  readonly timers: number;
  /** Advances the clock and runs the timers and promises that become due. */
  pass(milliseconds: number): Promise<void>;
  /** Advances the clock without running promises, as a long computation would. */
  work(milliseconds: number): void;
}

/** Stops the clock until the end of the scope. */
export function stopClock(): Clock {
  const clock = FakeTimers.install({
    toFake: ["setTimeout", "clearTimeout", "performance"],
  });
  return {
    get timers() {
      return clock.countTimers();
    },
    async pass(milliseconds) {
      await clock.tickAsync(milliseconds);
    },
    work(milliseconds) {
      clock.tick(milliseconds);
    },
    [Symbol.dispose]: () => clock.uninstall(),
  };
}
