/** A clock that stands still until a test moves it. */

import FakeTimers from "@sinonjs/fake-timers";

/** Time since the clock was stopped, timers included. */
export interface Clock extends Disposable {
  /** How many timers are set. */
  readonly timers: number;
  /** Lets milliseconds pass, and what waited for them happen. */
  pass(milliseconds: number): Promise<void>;
  /** Lets milliseconds pass at once, as if something had worked all the while. */
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
