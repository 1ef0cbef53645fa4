/**
 * Writes lines of the log in the background, so that a slow reader of the log does not
 * delay the service.
 *
 * @module
 */

import { type Output, writeAll } from "./standard_streams.ts";

/**
 * Largest total length of the lines that wait to be written, with their line feeds, in
 * UTF-16 code units. The line with the number of dropped lines is added even if the total
 * then exceeds this length.
 */
export const MAX_WAITING_LENGTH = 256 * 1024;

/**
 * Largest total length, in UTF-16 code units, of the lines that are written together. A
 * longer line is written alone. Linux writes up to 4 KiB to a pipe in one piece
 * (`PIPE_BUF`), so that ASCII lines of up to 4 KiB do not mix with lines of other threads.
 */
const BATCH_LENGTH = 4 * 1024;

const utf8Encoder = new TextEncoder();

/**
 * A queue of lines for one output. A line for which the queue has no space is dropped; a
 * later line tells the number of dropped lines. After a failed write, nothing more is
 * written.
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

  /**
   * Adds a line, given without its line feed, or drops the line if the queue has no space.
   */
  add(line: string): void {
    if (this.#waitingLength + line.length >= MAX_WAITING_LENGTH) {
      this.#lostLines += 1;
      return;
    }
    this.#push(line);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Resolves when all lines have been written, or a write has failed. While the output is a
   * full pipe that nothing reads, the promise stays pending.
   */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #push(line: string): void {
    this.#lines.push(`${line}\n`);
    this.#waitingLength += line.length + 1;
  }

  async #writeAll(): Promise<void> {
    // Waits for a timer, a few milliseconds, so that lines added until then are written in
    // batches.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      while (this.#lines.length > 0) {
        await this.#writeBatches(this.#takeLines());
      }
      this.#writing = undefined;
    } catch {
      // A write has failed, for instance since the output is closed. `#writing` stays set,
      // so that `add()` does not try again.
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
