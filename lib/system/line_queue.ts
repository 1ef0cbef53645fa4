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

const LINE_FEED = 0x0a;

const utf8Encoder = new TextEncoder();

interface Line {
  /** The line with its line feed. */
  readonly text: string;
  /** Number of lines that are lost if this one is: 1, or the number that it tells. */
  readonly count: number;
}

/**
 * A queue of lines for one output. Lines are dropped if the queue has no space for them, or
 * if the output fails, for instance because its disk is full. A later line, which is always
 * tried, tells the number of dropped lines.
 */
export class LineQueue {
  readonly #output: Output;
  #lines: Line[] = [];
  #waitingLength = 0;
  #lostLines = 0;
  /** Whether the output has taken the start of a line, and failed before its end. */
  #isLineOpen = false;
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
    this.#pushLostLines();
    this.#push(line, 1);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Resolves when all lines have been written, or refused by the output. While the output is
   * a full pipe that nothing reads, the promise stays pending.
   */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #push(line: string, count: number): void {
    this.#lines.push({ text: `${line}\n`, count });
    this.#waitingLength += line.length + 1;
  }

  /** Adds the line that tells the number of lost lines, if there are any. */
  #pushLostLines(): void {
    const count = this.#lostLines;
    if (count === 0) return;
    this.#lostLines = 0;
    this.#push(`${count} ${count === 1 ? "line" : "lines"} not written`, count);
  }

  async #writeAll(): Promise<void> {
    // Waits for a timer, a few milliseconds, so that lines added until then are written in
    // batches.
    await new Promise((resolve) => setTimeout(resolve));
    while (this.#lines.length > 0) {
      this.#pushLostLines();
      const lines = this.#lines;
      this.#lines = [];
      await this.#writeBatches(lines);
    }
    this.#writing = undefined;
  }

  async #writeBatches(lines: readonly Line[]): Promise<void> {
    let batch: Line[] = [];
    let length = 0;
    for (const line of lines) {
      if (length + line.text.length > BATCH_LENGTH) {
        await this.#write(batch);
        batch = [];
        length = 0;
      }
      batch.push(line);
      length += line.text.length;
    }
    await this.#write(batch);
  }

  async #write(batch: readonly Line[]): Promise<void> {
    const start = this.#isLineOpen ? "\n" : "";
    const text = batch.map((line) => line.text).join("");
    const bytes = utf8Encoder.encode(start + text);
    let written = 0;
    const output: Output = {
      write: async (piece) => {
        const length = await this.#output.write(piece);
        written += length;
        return length;
      },
    };
    try {
      await writeAll(output, bytes);
    } catch {
      // The first of these lines may have been written: an error does not say how many bytes
      // standard output has taken.
      for (const { count } of batch) this.#lostLines += count;
    }
    if (written > 0) this.#isLineOpen = bytes[written - 1] !== LINE_FEED;
    this.#waitingLength -= text.length;
  }
}
