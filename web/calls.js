/**
 * The calls of a tool. A call has the values of the form at its start, and is
 * out of date as soon as the form has others. A newer call cancels an older one.
 * @module
 */

import { find } from "./elements.js";
import { compute } from "./local.js";
import { call } from "./request.js";

/** Pause between the last keystroke and the call, in milliseconds. */
const DEBOUNCE_MS = 150;

export class Calls {
  #tool;
  #listener;
  #timer = /** @type {Timer} */ (undefined);
  /** The newest call. */
  newest = /** @type {Call | undefined} */ (undefined);
  /** The call whose result is shown; a call that fails leaves it as it is. */
  shown = /** @type {Call | undefined} */ (undefined);

  /**
   * @param {string} tool
   * @param {CallListener} listener
   */
  constructor(tool, listener) {
    this.#tool = tool;
    this.#listener = listener;
  }

  /** Whether the newest call has the values that the form has now. */
  get isLatest() {
    if (!this.newest) return false;
    const { values, file } = this.newest;
    const { values: current, file: currentFile } = this.#listener.readInput();
    return file === currentFile &&
      Object.entries(current).every(([name, value]) => values[name] === value);
  }

  /** Whether the newest call has no outcome yet. */
  get isWaiting() {
    return this.newest !== undefined && this.newest.outcome === undefined;
  }

  /**
   * Calls after a change of the form, unless the newest call has its values and
   * has not failed.
   * @param {boolean} isTyped Whether to wait for a pause in typing.
   */
  follow(isTyped) {
    clearTimeout(this.#timer);
    const callIfNeeded = () => {
      if (!this.isLatest || this.newest?.outcome?.failure) this.run();
      this.#listener.onSettled();
    };
    if (isTyped) {
      this.#timer = setTimeout(callIfNeeded, DEBOUNCE_MS);
    } else {
      callIfNeeded();
    }
  }

  /** Calls the service, or computes the result of a file in the browser. */
  async run() {
    clearTimeout(this.#timer);
    this.newest?.controller.abort();
    const { values, file } = this.#listener.readInput();
    const controller = new AbortController();
    const { signal } = controller;
    const newest = /** @type {Call} */ ({ values, file, controller });
    this.newest = newest;
    this.#listener.onStart();
    const options = { base: document.baseURI, limit: readLimit(), signal };
    const outcome = file
      ? await compute(this.#tool, file, values, signal)
      : await call(this.#tool, values, options);
    if (this.newest === newest) this.#listener.onOutcome(newest, outcome);
  }

  /** Cancels the call that waits; returns whether there was one. */
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

/** Returns the largest request body that the service takes, in bytes. */
export function readLimit() {
  return Number(find(document, "main").dataset.maxBodyBytes);
}
