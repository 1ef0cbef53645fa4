/// <reference path="./types.d.ts" />

/**
 * The worker that computes. It receives a `Job`, and posts exactly one `Reply`
 * for it, perhaps after several times its progress. The policy of its response
 * forbids every request but for scripts.
 * @module
 */

import { compute } from "./compute.js";
import { completeCrypto, loadHashers } from "./hashers.js";

/**
 * @param {WorkerMessage} message
 * @param {ArrayBuffer[]} moved Buffers that are moved, not copied.
 */
function post(message, moved = []) {
  postMessage(message, /** @type {any} */ (moved));
}

completeCrypto();
addEventListener("message", async ({ data: job }) => {
  const reply = await compute(job, (progress) => post({ progress }));
  const bytes = reply.results?.[0]?.result;
  try {
    post({ reply }, bytes instanceof Uint8Array ? [bytes.buffer] : []);
  } catch {
    // There is not enough memory for a copy.
    post({ reply: { failure: "RangeError" } });
  }
});
post({ isReady: true });
// Loads the rest before it is needed: a request at that time would tell that a
// file is here.
await loadHashers().catch(() => {});
post({ isComplete: true });
