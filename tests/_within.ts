/** Waits with a time limit: a test whose event does not happen fails and names the event. */

/** Longest wait for one event, in milliseconds. Events happen sooner, even on a busy computer. */
const LIMIT_MS = 60_000;

/**
 * Waits for a promise.
 *
 * @param event Name of the event, such as "the end of the server"; a function is called
 * when the wait has failed.
 * @throws {Error} that names the event if it has not happened within the limit.
 */
export async function within<Value>(
  waiting: Promise<Value>,
  event: string | (() => string),
  { limitMs = LIMIT_MS }: { readonly limitMs?: number } = {},
): Promise<Value> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const name = typeof event === "string" ? event : event();
    reject(new Error(`waited ${limitMs / 1000} s for ${name}`));
  }, limitMs);
  try {
    return await Promise.race([waiting, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Polls a condition until it holds.
 *
 * @throws {Error} with the code of the condition if it does not hold within the limit.
 */
export async function waitFor(
  holds: () => boolean | Promise<boolean>,
  options: Parameters<typeof within>[2] = {},
): Promise<void> {
  let isOver = false;
  async function poll(): Promise<void> {
    while (!isOver && !await holds()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  try {
    await within(poll(), String(holds), options);
  } finally {
    isOver = true;
  }
}

/** Fetches a URL and returns the status. */
export async function fetchStatus(
  ...[url, init]: Parameters<typeof fetchWithin>
): Promise<number> {
  const { status, body } = await fetchWithin(url, init);
  await body?.cancel();
  return status;
}

/**
 * Fetches a URL like `fetch()`. If the response or its body does not arrive within the limit,
 * fails with an error that names the URL.
 */
export function fetchWithin(
  input: string | URL,
  init: Omit<RequestInit, "signal"> = {},
  { limitMs = LIMIT_MS }: Parameters<typeof within>[2] = {},
): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const seconds = limitMs / 1000;
    const error = new Error(`waited ${seconds} s for the response of ${input}`);
    controller.abort(error);
  }, limitMs);
  // The body can be read at any time, so the timer cannot be cleared.
  Deno.unrefTimer(timer);
  return fetch(input, { ...init, signal: controller.signal });
}
