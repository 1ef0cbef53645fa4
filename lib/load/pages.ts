/**
 * Memory for request bodies while they are received: buffers of a fixed size (memory
 * pages), which are used again for later bodies.
 *
 * @module
 */

/** Sizes, in bytes: of a memory page, and of the first page of a body, which is smaller since some clients announce a large body and send nothing. */
export const PAGE_BYTES = 64 * 1024;
const FIRST_PAGE_BYTES = 32 * 1024;

/** Smallest free part of a memory page into which a chunk is read, in bytes. In Deno 2.9.6 a read into a few bytes may never end. */
const MIN_FREE_BYTES = 4 * 1024;

/** Largest number of unused memory pages of each size that are kept. To allocate a new one takes a tenth of a request's time (Deno 2.9.6). */
const MAX_FREE_PAGES = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** Unused memory pages, by their size in bytes. */
const freePages = new Map<number, ArrayBuffer[]>([
  [FIRST_PAGE_BYTES, []],
  [PAGE_BYTES, []],
]);

/** The memory pages of one body, filled with its chunks in order. */
export class Pages {
  /** Number of bytes received so far. */
  byteLength = 0;
  /** The filled parts of the memory pages before the current one. */
  #full: Bytes[] = [];
  #page = new ArrayBuffer();
  /** Number of bytes on the current memory page. */
  #length = 0;
  #isDiscarded = false;

  /** Size of the new memory page that the next chunk needs, in bytes; 0 if the current page has space for it. */
  get neededBytes(): number {
    if (this.#page.byteLength - this.#length >= MIN_FREE_BYTES) return 0;
    return this.byteLength === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
  }

  /**
   * Returns the free part of the current memory page or of a new one, to read a chunk
   * into. The page cannot be used (it is detached) until `keep()` takes it back.
   */
  getFree(): Bytes {
    const size = this.neededBytes;
    if (size > 0) {
      this.#keepPage();
      this.#page = freePages.get(size)!.pop() ?? new ArrayBuffer(size);
    }
    return new Uint8Array(this.#page, this.#length);
  }

  /** Takes back the memory page after a chunk was read into its free part. */
  keep({ buffer, byteOffset, byteLength }: Bytes): void {
    this.#page = buffer;
    this.#length = this.#isDiscarded ? 0 : byteOffset + byteLength;
    this.byteLength += byteLength;
  }

  /** Copies a chunk to the memory pages. Only chunks that came in a buffer of their own are copied. */
  copy(chunk: Bytes): void {
    for (let start = 0; start < chunk.byteLength;) {
      const free = this.getFree();
      const part = chunk.subarray(start, start + free.byteLength);
      free.set(part);
      this.keep(free.subarray(0, part.byteLength));
      start += part.byteLength;
    }
  }

  /** Frees the memory pages. Later chunks overwrite one another, so that they take no more memory. */
  discard(): void {
    this.free();
    this.#isDiscarded = true;
  }

  /** Returns all bytes in one array. The array may be a memory page, so it must not be used after `free()`. */
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

  /** Makes the memory pages available to other bodies. */
  free(): void {
    this.#keepPage();
    this.#full.forEach(freePage);
    this.#full = [];
  }

  #keepPage(): void {
    // During a read into the memory page, the page is detached: it belongs to the runtime.
    if (!this.#page.detached && this.#page.byteLength > 0) {
      this.#full.push(new Uint8Array(this.#page, 0, this.#length));
    }
    this.#page = new ArrayBuffer();
    this.#length = 0;
  }
}

/** Keeps a memory page for another body. If enough pages are kept already, frees the page at once, without waiting for the garbage collector. */
function freePage({ buffer }: Bytes): void {
  const pages = freePages.get(buffer.byteLength)!;
  if (pages.length < MAX_FREE_PAGES) pages.push(buffer);
  else buffer.transfer(0);
}
