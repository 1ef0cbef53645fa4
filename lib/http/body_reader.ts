import { resize } from "../buffer.ts";
import type { Bytes } from "./answer.ts";

/** Size of the first buffer, in bytes, and factor by which a full one is enlarged. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

/** Smallest view that is offered: a read into one of a few bytes may never end. */
const MIN_VIEW_BYTES = 4 * 1024;

/** Largest view that is offered: Deno keeps as much memory for the connection. */
const MAX_VIEW_BYTES = 32 * 1024;

/** Reads a body into one buffer, which grows as the bytes come. */
export class BodyReader {
  readonly #reader:
    | ReadableStreamBYOBReader
    | ReadableStreamDefaultReader<Bytes>;
  readonly #maxBytes: number;
  #buffer = new ArrayBuffer();
  #length = 0;
  #isDropped = false;

  /** @param maxBytes Largest number of bytes for which the buffer has space. */
  constructor(stream: ReadableStream<Bytes>, maxBytes: number) {
    this.#maxBytes = maxBytes;
    try {
      this.#reader = stream.getReader({ mode: "byob" });
    } catch {
      // Deno gives no BYOB reader for a body that has arrived whole.
      this.#reader = stream.getReader();
    }
  }

  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Size of the buffer, in bytes. */
  get capacity(): number {
    return this.#buffer.byteLength;
  }

  /** Whether the next read enlarges the buffer. */
  get isFull(): boolean {
    return this.#length + MIN_VIEW_BYTES > this.capacity;
  }

  /** Reads the next bytes, and returns their number; `undefined` at the end. */
  async read(): Promise<number | undefined> {
    const reader = this.#reader;
    if (!(reader instanceof ReadableStreamBYOBReader)) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      this.#append(value);
      return value.byteLength;
    }
    if (this.#isDropped) this.#length = 0;
    this.#grow(MIN_VIEW_BYTES);
    const size = Math.min(this.capacity - this.#length, MAX_VIEW_BYTES);
    const view = new Uint8Array(this.#buffer, this.#length, size);
    const { value, done } = await reader.read(view);
    if (value !== undefined) this.#buffer = value.buffer;
    if (done) return undefined;
    this.#length += value.byteLength;
    return value.byteLength;
  }

  #append(bytes: Bytes): void {
    if (this.#isDropped) return;
    // Other servers than `Deno.serve` may pass on a stream of anything.
    if (!(bytes instanceof Uint8Array)) throw new TypeError("no Uint8Array");
    this.#grow(bytes.byteLength);
    new Uint8Array(this.#buffer).set(bytes, this.#length);
    this.#length += bytes.byteLength;
  }

  #grow(added: number): void {
    const needed = this.#length + added;
    if (needed <= this.capacity) return;
    const grown = Math.max(GROWTH * this.capacity, FIRST_BYTES);
    const most = this.#maxBytes + MIN_VIEW_BYTES;
    const size = Math.max(Math.min(grown, most), needed);
    this.#buffer = resize(this.#buffer, size);
  }

  /** Frees the bytes, and drops those to come. */
  drop(): void {
    this.#isDropped = true;
    this.#length = 0;
    this.#buffer = new ArrayBuffer();
  }

  get bytes(): Bytes {
    return new Uint8Array(this.#buffer, 0, this.#length);
  }

  /** Refuses the rest of the body. */
  cancel(): void {
    // Fails if the connection is closed already. Nothing has to be done then.
    this.#reader.cancel().catch(() => {});
  }
}
