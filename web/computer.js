/**
 * The worker that computes for all tools. To cancel a long job, the worker is
 * terminated and started again from the HTTP cache. Its files are immutable, so
 * the browser sends no request.
 * @module
 */

/** The URL of the worker's script. */
export const WORKER = new URL("worker.js", import.meta.url).href;

/**
 * Time after which the worker is terminated if it still computes an abandoned
 * job, in milliseconds.
 */
const GRACE_MS = 200;

/**
 * Longest input after which the worker is kept, in UTF-16 code units: only its
 * termination releases all memory.
 */
const MAX_KEPT_INPUT = 10_000_000;

/**
 * A job, and the functions to call with its progress and its only reply.
 * @typedef {object} Task
 * @property {Job} job
 * @property {(progress: number) => void} onProgress
 * @property {(reply: Reply) => void} onReply
 */

export class Computer {
  #worker = /** @type {Worker | undefined} */ (undefined);
  /** Whether the worker has loaded what it needs to receive jobs. */
  #isReady = false;
  #count = 0;
  /** The tasks that wait for a reply, by number. */
  #tasks = /** @type {Map<number, Task>} */ (new Map());
  /** Numbers of abandoned tasks that the worker might still be computing. */
  #abandoned = /** @type {Set<number>} */ (new Set());
  /** Fulfilled when a worker has loaded everything, or has failed. */
  complete = Promise.withResolvers();

  constructor() {
    this.#start();
  }

  /**
   * Computes a job. There is exactly one reply, unless the returned function is
   * called first: it abandons the job.
   * @param {Task} task
   */
  compute(task) {
    this.#count += 1;
    const id = this.#count;
    this.#tasks.set(id, task);
    if (this.#isReady) this.#post(id, task.job);
    else if (!this.#worker) this.#fail("NetworkError");
    return () => this.#abandon(id);
  }

  /** Starts a worker instead of the current one. It receives all tasks. */
  #start() {
    this.#worker?.terminate();
    this.#isReady = false;
    this.#abandoned.clear();
    const worker = new Worker(WORKER, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (worker === this.#worker) this.#receive(data);
    };
    worker.onmessageerror = () => this.#restart("RangeError");
    worker.onerror = () => this.#restart("");
    this.#worker = worker;
  }

  /**
   * @param {number} id
   * @param {Job} job
   */
  #post(id, job) {
    try {
      this.#worker?.postMessage({ id, job });
    } catch {
      // There isn't enough memory for a copy.
      this.#finish(id, { failure: "RangeError" });
    }
  }

  /** @param {WorkerMessage} message */
  #receive({ isReady, isComplete, id = 0, progress, reply }) {
    if (progress !== undefined) this.#tasks.get(id)?.onProgress(progress);
    if (reply) this.#finish(id, reply);
    if (isComplete) this.complete.resolve(undefined);
    if (!isReady) return;
    this.#isReady = true;
    for (const [id, { job }] of this.#tasks) this.#post(id, job);
  }

  /**
   * @param {number} id
   * @param {Reply} reply
   */
  #finish(id, reply) {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    this.#abandoned.delete(id);
    const { input = "" } = task?.job.values ?? {};
    if (input.length > MAX_KEPT_INPUT) this.#start();
    task?.onReply(reply);
  }

  /** @param {number} id */
  #abandon(id) {
    if (!this.#tasks.delete(id) || !this.#isReady) return;
    this.#abandoned.add(id);
    setTimeout(() => {
      if (this.#abandoned.has(id)) this.#start();
    }, GRACE_MS);
  }

  /**
   * Handles an error of the worker. If its script didn't load, no other worker is
   * started, because that would send a request for each task.
   * @param {string} failure See `Reply`.
   */
  #restart(failure) {
    const isLoaded = this.#isReady;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.complete.resolve(undefined);
    this.#fail(isLoaded ? failure : "NetworkError");
    if (isLoaded) this.#start();
  }

  /** @param {string} failure The reply to all tasks. */
  #fail(failure) {
    const tasks = [...this.#tasks.values()];
    this.#tasks.clear();
    for (const { onReply } of tasks) onReply({ failure });
  }
}
