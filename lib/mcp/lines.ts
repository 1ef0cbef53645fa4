/**
 * This module splits a stream of bytes into lines.
 *
 * @module
 */

const NEWLINE = 0x0a;

/**
 * Yields the lines of a stream, without their line feeds. A line of more than `maxBytes`
 * bytes is dropped: `undefined` is yielded in its place. The last line need not end with a
 * line feed.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | undefined, void> {
  let line = new GrowingLine(maxBytes);
  for await (const chunk of stream) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      line.append(chunk.subarray(start, end));
      yield line.bytes;
      line = new GrowingLine(maxBytes);
      start = end + 1;
    }
    line.append(chunk.subarray(start));
  }
  if (!line.isEmpty) yield line.bytes;
}

/** A line that is being read. Its bytes may come from several chunks of the stream. */
class GrowingLine {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #byteLength = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#byteLength === 0;
  }

  append(part: Uint8Array): void {
    if (part.byteLength === 0) return;
    this.#byteLength += part.byteLength;
    if (this.#byteLength <= this.#maxBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  /** The bytes of the whole line; `undefined` if there are more than `maxBytes`. */
  get bytes(): Uint8Array | undefined {
    if (this.#byteLength > this.#maxBytes) return undefined;
    const [only] = this.#parts;
    if (this.#parts.length === 1) return only;
    const bytes = new Uint8Array(this.#byteLength);
    let end = 0;
    for (const part of this.#parts) {
      bytes.set(part, end);
      end += part.byteLength;
    }
    return bytes;
  }
}
