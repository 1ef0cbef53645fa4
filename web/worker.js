/// <reference path="./types.d.ts" />

/**
 * The worker that computes. For each `Job`, it posts progress messages and exactly
 * one `Reply`. The policy of its response blocks every request except for scripts.
 * index.html must not preload any of its modules, because WebKit would request
 * those again for each new worker.
 * @module
 */

import { compute } from "./compute.js";
import { completeCrypto, loadHashers } from "./hashers.js";
import { loadRepair } from "./repair.js";

/**
 * @param {WorkerMessage} message
 * @param {ArrayBuffer[]} moved Buffers that are moved, not copied.
 */
function post(message, moved = []) {
  postMessage(message, /** @type {any} */ (moved));
}

completeCrypto();
addEventListener("message", async ({ data: { id, job } }) => {
  const reply = await compute(job, (progress) => post({ id, progress }));
  const bytes = reply.results?.[0]?.result;
  try {
    post({ id, reply }, bytes instanceof Uint8Array ? [bytes.buffer] : []);
  } catch {
    // There isn't enough memory for a copy.
    post({ id, reply: { failure: "RangeError" } });
  }
});
post({ isReady: true });
// A later request would reveal that a file was opened.
await Promise.allSettled([loadHashers(), loadRepair()]);
post({ isComplete: true });
