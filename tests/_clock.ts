/** A fake clock that only a test advances. */

import FakeTimers from "@sinonjs/fake-timers";

/** A stopped clock: `setTimeout()` and `performance.now()` follow it. */
interface Clock extends Disposable {
  /** Advances the clock and runs the timers and promises that become due. */
  pass(milliseconds: number): Promise<void>;
  /** Advances the clock without running promises, like a long computation. */
  work(milliseconds: number): void;
}

/** Replaces the clock until the end of the scope. */
export function stopClock(): Clock {
  const clock = FakeTimers.install({
    toFake: ["setTimeout", "clearTimeout", "performance"],
  });
  return {
    async pass(milliseconds) {
      await clock.tickAsync(milliseconds);
    },
    work(milliseconds) {
      clock.tick(milliseconds);
    },
    [Symbol.dispose]: () => clock.uninstall(),
  };
}
