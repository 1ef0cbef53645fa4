/** Large results: counted while they are written and sent, streamed as their clients read them. */

import type { Transfer } from "./budget.ts";
import type { Load } from "./load.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A result above 32 KiB, or one that may become as large. */
export class Result implements Transfer {
  startTime = Infinity;
  movedBytes = 0;
  readonly #load: Load;
  #pages: readonly Bytes[] = [];
  #sentPages = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  /**
   * Makes the body of the response of its pages, which are freed when it has ended.
   *
   * @throws {HttpError} 503 with `Retry-After` if the budget has no room for them.
   */
  stream(pages: readonly Bytes[], byteLength: number): ReadableStream<Bytes> {
    this.#load.budget.reserve(this, byteLength);
    this.#pages = pages;
    this.startTime = performance.now();
    this.#load.info?.completed?.then(this.abort, this.abort);
    return new ReadableStream({
      pull: (controller) => this.#sendPage(controller),
      cancel: this.abort,
    }, { highWaterMark: 0 });
  }

  #sendPage(controller: ReadableStreamDefaultController<Bytes>): void {
    const page = this.#pages[this.#sentPages];
    this.#sentPages += 1;
    this.movedBytes += page?.byteLength ?? 0;
    if (page !== undefined) return controller.enqueue(page);
    controller.close();
    // Without `completed`, only the end of the stream is known.
    if (this.#load.info?.completed === undefined) this.abort();
  }

  /**
   * Frees the pages. A response that is not complete then ends short of its
   * `Content-Length`, which closes the connection.
   */
  readonly abort = (): void => {
    this.#load.budget.release(this);
    // Without `completed`, a reader in process may still use the pages that it has.
    const usedPages = this.#load.info?.completed ? 0 : this.#sentPages;
    for (const { buffer } of this.#pages.slice(usedPages)) {
      if (!buffer.detached) buffer.transfer(0);
    }
    this.#pages = [];
  };
}
