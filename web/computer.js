/**
 * A worker for the computations of one tool. It is loaded for the first of them,
 * and ended by a cancellation.
 * @module
 */

export class Computer {
  #worker = /** @type {Worker | undefined} */ (undefined);

  /**
   * Lets the worker compute. Rejects with the reason of `signal` if that aborts,
   * or with a `NetworkError` if the worker cannot be loaded.
   * @param {Job} job
   * @param {AbortSignal} signal
   * @param {(progress: number) => void} onProgress Gets the part of the file
   * that has been read, from 0 to 1.
   * @returns {Promise<Reply>}
   */
  async compute(job, signal, onProgress) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const worker = this.#worker ??= new Worker(
      new URL("worker.js", import.meta.url),
      { type: "module" },
    );
    worker.onmessage = ({ data }) => {
      if ("progress" in data) onProgress(data.progress);
      else resolve(data);
    };
    worker.onerror = ({ message }) => {
      end();
      reject(
        message ? new Error(message) : new DOMException("", "NetworkError"),
      );
    };
    // Ends the worker in this moment: the next computation follows at once.
    const cancel = () => {
      end();
      reject(signal.reason);
    };
    const end = () => {
      worker.terminate();
      this.#worker = undefined;
    };
    signal.addEventListener("abort", cancel);
    worker.postMessage(job);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }
}
