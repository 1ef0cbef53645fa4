/** Calls that come at once, answered one after another. */

/**
 * Runs what it is given one after another, each when the one before has made its
 * answer. After a large answer the event loop goes round once: dozens of calls
 * that arrive together, each with an answer of megabytes, would otherwise keep it
 * busy for seconds, in which clients are taken for slow and others wait.
 */
export function createTurns(): (
  work: () => Response | Promise<Response>,
) => Promise<Response> {
  let last: Promise<unknown> = Promise.resolve();
  return function takeTurn(work) {
    const answer = last.then(work);
    last = answer.then(pauseIfLarge, () => {});
    return answer;
  };
}

function pauseIfLarge({ headers }: Response): Promise<void> | undefined {
  // Only an answer that departs piece by piece says how long it is.
  if (!headers.has("content-length")) return undefined;
  return new Promise((resolve) => setTimeout(resolve));
}
