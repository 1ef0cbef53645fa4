/**
 * The calls of a tool. A call keeps the values and the file that the form has
 * when the call starts, and is out of date while the form has another value or
 * file. A new call cancels the call before it.
 * @module
 */

import { compute } from "./compute.js";
import { Computer } from "./computer.js";

/**
 * Pause between typing, or a change of a control, and the call, in
 * milliseconds.
 */
const DEBOUNCE_MS = 150;

export class Calls {
  #name;
  #listener;
  #computer = new Computer();
  #timer = /** @type {Timer} */ (undefined);
  newest = /** @type {Call | undefined} */ (undefined);
  /**
   * The call whose result the page shows: the last with a result, which may be
   * only a note, such as “This is valid JSON.” Undefined before the first
   * result, and when a call without a result follows a note.
   */
  shown = /** @type {Call | undefined} */ (undefined);

  /**
   * @param {string} name Name of the tool.
   * @param {CallListener} listener
   */
  constructor(name, listener) {
    this.#name = name;
    this.#listener = listener;
  }

  /**
   * Whether the newest call has the values and the file that the form has now.
   * False before the first call.
   */
  get isLatest() {
    if (!this.newest) return false;
    const { values, file } = this.newest;
    const { values: current, file: currentFile } = this.#listener.readInput();
    return file === currentFile &&
      Object.entries(current).every(([name, value]) => values[name] === value);
  }

  /** Whether a call is in progress: the newest call has no outcome yet. */
  get isWaiting() {
    return this.newest !== undefined && this.newest.outcome === undefined;
  }

  /**
   * Starts a call after a change of the form, unless the newest call already
   * has the values and the file of the form, and has neither failed nor been
   * cancelled.
   * @param {boolean} isTyped Whether the call waits for a pause of
   * `DEBOUNCE_MS`.
   */
  follow(isTyped) {
    clearTimeout(this.#timer);
    const callIfNeeded = () => {
      if (!this.isLatest || this.newest?.outcome?.failure) this.run();
    };
    if (isTyped) {
      this.#timer = setTimeout(callIfNeeded, DEBOUNCE_MS);
    } else {
      callIfNeeded();
    }
  }

  /**
   * Cancels the newest call, and starts a call at once. The listener gets the
   * outcome, unless a newer call has started by then.
   */
  async run() {
    clearTimeout(this.#timer);
    this.newest?.controller.abort();
    const { values, file } = this.#listener.readInput();
    const controller = new AbortController();
    const { signal } = controller;
    const started = /** @type {Call} */ ({ values, file, controller });
    this.newest = started;
    this.#listener.onStart();
    const onProgress = (/** @type {number} */ progress) => {
      if (this.newest !== started) return;
      started.progress = progress;
      this.#listener.onProgress();
    };
    const outcome = await compute(
      this.#name,
      { values, file },
      (job) => this.#computer.compute(job, signal, onProgress),
      signal,
    );
    if (this.newest !== started) return;
    started.outcome = outcome;
    this.#listener.onOutcome(started);
  }

  /**
   * Cancels the newest call if it has no outcome yet. Returns whether that was
   * the case.
   */
  cancel() {
    if (!this.isWaiting) return false;
    this.newest?.controller.abort();
    return true;
  }

  /** Calls again if the newest call has failed and was not cancelled. */
  recover() {
    const { outcome, controller } = this.newest ?? {};
    if (outcome?.failure && !controller?.signal.aborted) this.run();
  }
}
