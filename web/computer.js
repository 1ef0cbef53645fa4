/**
 * The workers that compute for all tools. Two are started with the page, so that
 * nothing is requested when a person uses it: while one computes, the other is
 * spare. A worker is ended only when another one is ready in its place.
 * @module
 */

/** The address of the worker's script. */
export const WORKER = new URL("worker.js", import.meta.url).href;

/**
 * Time in which an abandoned job may end, in milliseconds. Then its worker is
 * replaced.
 */
const GRACE_MS = 200;

/**
 * Longest input, in UTF-16 code units, after which a worker goes on: only its end
 * gives all memory back.
 */
const MAX_KEPT_INPUT = 10_000_000;

/**
 * A job, and what is done with its progress and its only reply.
 * @typedef {object} Task
 * @property {Job} job
 * @property {(progress: number) => void} onProgress
 * @property {(reply: Reply) => void} onReply
 * @property {boolean} [isAbandoned]
 */

export class Computer {
  /** All workers that have not been ended. */
  #hands = new Set([new Hand(this), new Hand(this)]);
  /** Tasks without a worker, oldest first. */
  #waiting = /** @type {Task[]} */ ([]);
  /** Fulfilled when the first workers have loaded everything, or have failed. */
  complete = Promise.all(Array.from(this.#hands, ({ complete }) => complete));

  /**
   * Computes a job. There is exactly one reply, unless the returned function is
   * called before: it abandons the job.
   * @param {Task} task
   */
  compute(task) {
    this.#waiting.push(task);
    this.assign();
    return () => this.#abandon(task);
  }

  /** Gives waiting tasks to free workers, or says that there are no workers. */
  assign() {
    for (const hand of this.#hands) {
      const task = hand.isFree ? this.#waiting.shift() : undefined;
      if (task) hand.start(task);
    }
    if (this.#hands.size > 0) return;
    for (const task of this.#waiting.splice(0)) {
      task.onReply({ failure: "NetworkError" });
    }
  }

  /** @param {Task} task */
  #abandon(task) {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== task);
    task.isAbandoned = true;
    setTimeout(() => {
      const hand = [...this.#hands].find((hand) => hand.task === task);
      if (hand) this.add(hand);
    }, GRACE_MS);
  }

  /**
   * Starts a worker.
   * @param {Hand} [old] Is ended as soon as the new worker is ready. If that
   * cannot be loaded, the old one goes on.
   */
  add(old) {
    this.#hands.add(new Hand(this, old));
  }

  /** @param {Hand} hand Is ended. */
  remove(hand) {
    hand.end();
    this.#hands.delete(hand);
  }
}

/** A worker with at most one task. */
class Hand {
  #computer;
  /** The hand in whose place this one is. */
  #old;
  #worker = new Worker(WORKER, { type: "module" });
  #isReady = false;
  #complete = Promise.withResolvers();
  task = /** @type {Task | undefined} */ (undefined);

  /**
   * @param {Computer} computer
   * @param {Hand} [old]
   */
  constructor(computer, old) {
    this.#computer = computer;
    this.#old = old;
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onmessageerror = () => this.#finish({ failure: "RangeError" });
    this.#worker.onerror = () => this.#fail();
  }

  get complete() {
    return this.#complete.promise;
  }

  get isFree() {
    return this.#isReady && !this.task;
  }

  /** @param {Task} task */
  start(task) {
    this.task = task;
    try {
      this.#worker.postMessage(task.job);
    } catch {
      // There is not enough memory for a copy.
      this.#finish({ failure: "RangeError" });
    }
  }

  /** @param {WorkerMessage} message */
  #receive({ isReady, isComplete, progress, reply }) {
    if (progress !== undefined && !this.task?.isAbandoned) {
      this.task?.onProgress(progress);
    }
    if (reply) this.#finish(reply);
    if (isComplete) this.#complete.resolve(undefined);
    if (!isReady) return;
    this.#isReady = true;
    if (this.#old) this.#computer.remove(this.#old);
    this.#old = undefined;
    this.#computer.assign();
  }

  /** @param {Reply} reply */
  #finish(reply) {
    const { task } = this;
    const { input = "" } = task?.job.values ?? {};
    this.task = undefined;
    if (input.length > MAX_KEPT_INPUT) this.#computer.add(this);
    if (!task?.isAbandoned) task?.onReply(reply);
    this.#computer.assign();
  }

  /** The worker could not be loaded, or there was a mistake in it. */
  #fail() {
    const { task } = this;
    if (this.#isReady) this.#computer.add();
    this.task = undefined;
    this.#computer.remove(this);
    if (task && !task.isAbandoned) task.onReply({ failure: "" });
    this.#computer.assign();
  }

  /** Ends the worker. Another one computes the task that it may have. */
  end() {
    const { task } = this;
    this.task = undefined;
    this.#isReady = false;
    this.#worker.terminate();
    this.#complete.resolve(undefined);
    if (task && !task.isAbandoned) this.#computer.compute(task);
  }
}
