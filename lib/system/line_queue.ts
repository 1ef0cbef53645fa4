/**
 * Writes lines of the log in the background, so that a slow reader of the log does not delay
 * the service.
 *
 * @module
 */

import { type Output, writeAll } from "./standard_streams.ts";

/** Largest total length of the lines that wait to be written, in UTF-16 code units. */
export const MAX_WAITING_LENGTH = 256 * 1024;

/**
 * Largest total length, in UTF-16 code units, of the lines that are written together. A
 * longer line is written alone. Linux writes up to 4 KiB to a pipe in one piece
 * (`PIPE_BUF`), so that ASCII lines of several threads do not mix.
 */
const BATCH_LENGTH = 4 * 1024;

const utf8Encoder = new TextEncoder();

/**
 * A queue of lines for one output. While the queue is full, new lines are dropped; a later
 * line tells the number of dropped lines.
 */
export class LineQueue {
  readonly #output: Output;
  #lines: string[] = [];
  #waitingLength = 0;
  #lostLines = 0;
  #writing: Promise<void> | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Adds a line, without its line feed. */
  add(line: string): void {
    if (this.#waitingLength + line.length >= MAX_WAITING_LENGTH) {
      this.#lostLines += 1;
      return;
    }
    this.#push(line);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Resolves when all lines have been written. If nothing reads the output, it never
   * resolves.
   */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #push(line: string): void {
    this.#lines.push(`${line}\n`);
    this.#waitingLength += line.length + 1;
  }

  async #writeAll(): Promise<void> {
    // Waits a moment, so that lines that are added meanwhile are written together.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      while (this.#lines.length > 0) {
        await this.#writeBatches(this.#takeLines());
      }
      this.#writing = undefined;
    } catch {
      // The output is closed, so no further line can be written. `#writing` stays set, so
      // that `add()` does not try again.
      this.#lines = [];
    }
  }

  #takeLines(): readonly string[] {
    if (this.#lostLines > 0) {
      const noun = this.#lostLines === 1 ? "line" : "lines";
      this.#push(`${this.#lostLines} ${noun} not written`);
      this.#lostLines = 0;
    }
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  async #writeBatches(lines: readonly string[]): Promise<void> {
    let batch = "";
    for (const line of lines) {
      if (batch.length + line.length > BATCH_LENGTH) {
        await this.#write(batch);
        batch = "";
      }
      batch += line;
    }
    await this.#write(batch);
  }

  async #write(batch: string): Promise<void> {
    await writeAll(this.#output, utf8Encoder.encode(batch));
    this.#waitingLength -= batch.length;
  }
}
