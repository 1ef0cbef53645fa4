import {
  createTimeoutError,
  IncompleteBodyError,
  MIN_BYTES_PER_SECOND,
  toReadError,
} from "../http/body.ts";
import type { HttpError } from "../http/response.ts";
import type { Bytes } from "../buffer.ts";

const CHECK_MS = 100;

interface PendingBody {
  readonly reject: (error: HttpError) => void;
  /** The `performance.now()` at which the body is too late. */
  readonly deadline: number;
}

/**
 * Reads each small body in one call, which is twice as fast as reading chunks but cannot be
 * canceled. All bodies share one timer: one timer per body would make small requests 10% slower.
 */
export class SmallBodyReader {
  readonly #pending = new Set<PendingBody>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly timeoutMs: number) {}

  /**
   * Reads a body of `length` bytes.
   *
   * @throws {HttpError} 400 if the body ends early, 408 if it arrives too late.
   */
  read(request: Request, length: number): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      const expectedMs = 1_000 * length / MIN_BYTES_PER_SECOND;
      const limitMs = Math.max(this.timeoutMs, expectedMs);
      const body = { reject, deadline: performance.now() + limitMs };
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
    for (const body of this.#pending) {
      if (now < body.deadline) continue;
      this.#pending.delete(body);
      body.reject(createTimeoutError(this.timeoutMs));
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
