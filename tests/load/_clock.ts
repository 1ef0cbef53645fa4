/** A clock that advances only when a test advances it. */

import { install } from "@sinonjs/fake-timers";

/** Stops the clock of timers and `performance.now()` until the returned clock is disposed of. */
export function stopTime() {
  const clock = install({
    now: 1_000,
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "performance",
    ],
  });
  return Object.assign(clock, { [Symbol.dispose]: () => clock.uninstall() });
}
