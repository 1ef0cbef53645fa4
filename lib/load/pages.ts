/**
 * Memory for request bodies while they are received: buffers of a fixed size, which are
 * used again for later bodies.
 *
 * @module
 */

/** A body is received into several buffers: the size of each of them except the first, in bytes. */
export const PAGE_BYTES = 64 * 1024;
/** Size of the first buffer of a body, in bytes. It is smaller than the others, since some clients announce a large body and send nothing. */
const FIRST_PAGE_BYTES = 32 * 1024;

/** Smallest free part of a buffer into which a chunk is read, in bytes. In Deno 2.9.6 a read into a few bytes may never end. */
const MIN_FREE_BYTES = 4 * 1024;

/** Largest number of unused buffers of each size that are kept. To allocate a new one takes a tenth of a request's time (Deno 2.9.6). */
const MAX_FREE_PAGES = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** Unused buffers, by their size in bytes. */
const freePages = new Map<number, ArrayBuffer[]>([
  [FIRST_PAGE_BYTES, []],
  [PAGE_BYTES, []],
]);

/** The buffers of one body, filled with its chunks in order. */
export class Pages {
  /** Number of bytes received so far. */
  byteLength = 0;
  /** The filled parts of the buffers before the current one. */
  #full: Bytes[] = [];
  #page = new ArrayBuffer();
  /** Number of bytes in the current buffer. */
  #length = 0;
  #isDiscarded = false;

  /** Size of the new buffer that the next chunk needs, in bytes; 0 if the current buffer has space for it. */
  get neededBytes(): number {
    if (this.#page.byteLength - this.#length >= MIN_FREE_BYTES) return 0;
    return this.byteLength === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
  }

  /**
   * Returns the free part of the current buffer or of a new one, to read a chunk into.
   * The buffer cannot be used (it is detached) until `keep()` takes it back.
   */
  getFree(): Bytes {
    const size = this.neededBytes;
    if (size > 0) {
      this.#keepPage();
      this.#page = freePages.get(size)!.pop() ?? new ArrayBuffer(size);
    }
    return new Uint8Array(this.#page, this.#length);
  }

  /** Takes back the buffer after a chunk was read into its free part. */
  keep({ buffer, byteOffset, byteLength }: Bytes): void {
    this.#page = buffer;
    this.#length = this.#isDiscarded ? 0 : byteOffset + byteLength;
    this.byteLength += byteLength;
  }

  /** Copies a chunk to the buffers. Only chunks that came in a buffer of their own are copied. */
  copy(chunk: Bytes): void {
    for (let start = 0; start < chunk.byteLength;) {
      const free = this.getFree();
      const part = chunk.subarray(start, start + free.byteLength);
      free.set(part);
      this.keep(free.subarray(0, part.byteLength));
      start += part.byteLength;
    }
  }

  /** Frees the buffers. Later chunks overwrite one another, so that they take no more memory. */
  discard(): void {
    this.free();
    this.#isDiscarded = true;
  }

  /** Returns all bytes in one array. Its memory may be that of a buffer, so it must not be used after `free()`. */
  join(): Bytes {
    this.#keepPage();
    if (this.#full.length === 1) return this.#full[0]!;
    const bytes = new Uint8Array(this.byteLength);
    let length = 0;
    for (const part of this.#full) {
      bytes.set(part, length);
      length += part.byteLength;
    }
    this.free();
    return bytes;
  }

  /** Makes the buffers available to other bodies. */
  free(): void {
    this.#keepPage();
    this.#full.forEach(freePage);
    this.#full = [];
  }

  #keepPage(): void {
    // During a read into the buffer, the buffer is detached: it belongs to the runtime.
    if (!this.#page.detached && this.#page.byteLength > 0) {
      this.#full.push(new Uint8Array(this.#page, 0, this.#length));
    }
    this.#page = new ArrayBuffer();
    this.#length = 0;
  }
}

/** Keeps a buffer for another body. If enough buffers are kept already, frees it at once, without waiting for the garbage collector. */
function freePage({ buffer }: Bytes): void {
  const pages = freePages.get(buffer.byteLength)!;
  if (pages.length < MAX_FREE_PAGES) pages.push(buffer);
  else buffer.transfer(0);
}
