/** The calls of the service by one tool. Only the outcome of the newest call is used. If the service is busy or does not answer, the call is repeated. */

import { createRequest, describeExcess, send } from "./call.js";
import { readLimit } from "./dom.js";
import { toFields } from "./form.js";
import { findValidRepairs, interpret } from "./tools.js";

/** Maximum pause before a failed call is repeated, in seconds. */
const MAX_RETRY_AFTER = 30;

export class Calls {
  #options;
  #timer = /** @type {Timer} */ (undefined);
  /** The newest call. @type {Call | undefined} */
  latest;

  /** @param {CallsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** Runs a function after a delay. A new call, or a newer postponed function, cancels it during the delay. @param {() => void} act @param {number} delayMs */
  postpone(act, delayMs) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, delayMs);
  }

  /** Starts a call and cancels the previous one. Reports the outcome to `onOutcome`, unless a newer call has started. @param {Values} values */
  async make(values, retries = 0) {
    clearTimeout(this.#timer);
    this.latest?.stop.abort();
    /** @type {Call} */
    const call = { values, stop: new AbortController() };
    this.latest = call;
    const { name, onStart, onOutcome } = this.#options;
    const ask = this.#createAsk(call);
    const answered = interpret(name, values, ask);
    onStart();
    let outcome = await answered;
    if (this.latest !== call) return;
    if (outcome.retryAfter !== undefined) {
      const pause = outcome.retryAfter * 2 ** retries;
      const seconds = Math.min(pause, MAX_RETRY_AFTER);
      this.postpone(() => this.make(values, retries + 1), seconds * 1_000);
      const failure = `${outcome.failure} Trying again in ${seconds} s.`;
      outcome = { ...outcome, failure };
    }
    call.outcome = outcome;
    onOutcome(call, outcome);
    if (outcome.wrong === undefined) return;
    const repairs = await findValidRepairs(name, values, ask);
    if (this.latest !== call || repairs.length === 0) return;
    call.outcome = { ...outcome, repairs };
    onOutcome(call, call.outcome);
  }

  /** Cancels the call in progress. Returns whether there was one. */
  cancel() {
    if (!this.latest || this.latest.outcome) return false;
    this.latest.stop.abort();
    return true;
  }

  /** Repeats the newest call if it has failed and was not cancelled. Used when the browser is online again or the page gets the focus. */
  recover() {
    const { outcome, stop, values } = this.latest ?? {};
    if (outcome?.failure && values && !stop?.signal.aborted) this.make(values);
  }

  /** Returns the function that sends the requests of a call. @param {Call} call @returns {Ask} */
  #createAsk({ values, stop: { signal } }) {
    const { name, defaults, onProgress } = this.#options;
    const limit = readLimit();
    /** For each request of the call: the fraction that has been uploaded, from 0 to 1. @type {number[]} */
    const shares = [];
    return async (changes) => {
      const changed = { ...values, ...changes };
      const fields = toFields(changed, defaults);
      const request = createRequest(`api/${name}`, fields, document.baseURI);
      const { input } = changed;
      const excess = describeExcess(request, { input, limit });
      if (excess) return { error: `"input" ${excess}` };
      const i = shares.push(1) - 1;
      return await send(request, {
        signal,
        onProgress(share) {
          shares[i] = share;
          onProgress(Math.min(...shares));
        },
      });
    };
  }
}
