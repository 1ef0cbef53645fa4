/**
 * Turns for long work, one in each round of the event loop, so that what is
 * small is answered in between and never waits for more than one of them.
 *
 * @module
 */

/** How long a turn should be, in milliseconds. */
export const TURN_MS = 2;

/** When the last one in the line has its turn. */
let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a turn, behind all who wait already. */
export function takeTurn(): Promise<void> {
  lastTurn = lastTurn.then(nextRound);
  return lastTurn;
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
