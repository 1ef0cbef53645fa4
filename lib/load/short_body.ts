import {
  createTimeoutError,
  IncompleteBodyError,
  MIN_BYTES_PER_SECOND,
  toReadError,
} from "../http/body.ts";
import { createBusyError, type HttpError } from "../http/response.ts";
import type { Bytes } from "../buffer.ts";

/** Time between two checks for late bodies, in milliseconds. */
const CHECK_MS = 100;

/** Time for which a body that holds a slot may stall while requests wait, in milliseconds. */
const MAX_STALL_MS = 1_000;

interface PendingBody {
  readonly reject: (error: HttpError) => void;
  /** `performance.now()` at which the body times out. */
  readonly deadline: number;
  /** The same while requests wait for slots. */
  readonly contendedDeadline: number;
}

/**
 * Reads short bodies in one call each, which takes half the time of a read in chunks. Such a
 * read cannot be canceled, and doesn't report what has arrived. One timer serves all bodies,
 * since a timer for each would take a tenth of the time of a small request.
 */
export class ShortBodyReader {
  readonly #timeoutMs: number;
  readonly #isContended: () => boolean;
  readonly #pending = new Set<PendingBody>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param timeoutMs How long a body may take, in milliseconds.
   * @param isContended Whether requests wait for slots.
   */
  constructor(timeoutMs: number, isContended: () => boolean) {
    this.#timeoutMs = timeoutMs;
    this.#isContended = isContended;
  }

  /**
   * Reads a body of `length` bytes.
   *
   * @param holdsSlot Whether other requests may wait for the slot of this one.
   * @throws {HttpError} 400 if the body ends early, 408 if it is late, 503 if it stalls while
   * requests wait for its slot.
   */
  read(request: Request, length: number, holdsSlot: boolean): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      const expectedMs = 1_000 * length / MIN_BYTES_PER_SECOND;
      const body: PendingBody = {
        reject,
        deadline: now + Math.max(this.#timeoutMs, expectedMs),
        contendedDeadline: holdsSlot
          ? now + expectedMs + MAX_STALL_MS
          : Infinity,
      };
      this.#pending.add(body);
      this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
      request.bytes().then((bytes) => {
        this.#pending.delete(body);
        if (bytes.byteLength === length) resolve(bytes);
        else reject(new IncompleteBodyError());
      }, (error) => {
        this.#pending.delete(body);
        reject(toReadError(error));
      });
    });
  }

  #check(): void {
    const now = performance.now();
    const isContended = this.#isContended();
    for (const body of this.#pending) {
      if (now >= body.deadline) {
        this.#pending.delete(body);
        body.reject(createTimeoutError(this.#timeoutMs));
      } else if (isContended && now >= body.contendedDeadline) {
        this.#pending.delete(body);
        body.reject(createBusyError());
      }
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
