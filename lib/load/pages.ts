/**
 * Memory for bodies while they are received: buffers of a fixed size (memory pages), which later bodies use again.
 *
 * @module
 */

/** Size of a memory page, in bytes. The first page of a body is smaller, since some clients announce a large body and send nothing. */
export const PAGE_BYTES = 64 * 1024;
const FIRST_PAGE_BYTES = 32 * 1024;

/** Smallest free part of a memory page into which a chunk is read, in bytes. In Deno 2.9.6 a read into a few bytes may never end. */
const MIN_FREE_BYTES = 4 * 1024;

/** Largest number of unused memory pages of each size that are kept, since allocating new ones takes a tenth of a request's time (Deno 2.9.6). */
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
  /** The filled parts of the pages before the current one. */
  #full: Bytes[] = [];
  #page = new ArrayBuffer();
  /** Bytes on the memory page that is being filled. */
  #length = 0;
  #isDiscarded = false;

  /** Size of the new memory page that the next chunk needs, in bytes; 0 if the current page has space for it. */
  get neededBytes(): number {
    if (this.#page.byteLength - this.#length >= MIN_FREE_BYTES) return 0;
    return this.byteLength === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
  }

  /** Returns the free part of the current or a new page, for a chunk. The page is detached until `keep()` takes it back. */
  getFree(): Bytes {
    const size = this.neededBytes;
    if (size > 0) {
      this.#keepPage();
      this.#page = freePages.get(size)!.pop() ?? new ArrayBuffer(size);
    }
    return new Uint8Array(this.#page, this.#length);
  }

  /** Takes back the memory page, with a chunk that was read into the free part of the page. */
  keep({ buffer, byteOffset, byteLength }: Bytes): void {
    this.#page = buffer;
    this.#length = this.#isDiscarded ? 0 : byteOffset + byteLength;
    this.byteLength += byteLength;
  }

  /** Copies a chunk, which has a buffer of its own, to the memory pages. */
  copy(chunk: Bytes): void {
    for (let start = 0; start < chunk.byteLength;) {
      const free = this.getFree();
      const part = chunk.subarray(start, start + free.byteLength);
      free.set(part);
      this.keep(free.subarray(0, part.byteLength));
      start += part.byteLength;
    }
  }

  /** Frees the memory pages. Further chunks overwrite one another. */
  discard(): void {
    this.free();
    this.#isDiscarded = true;
  }

  /** Returns all bytes in one array, which may be a memory page itself, so the array must not be used after `free()`. */
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
    // While a read is pending, the page is detached.
    if (!this.#page.detached && this.#page.byteLength > 0) {
      this.#full.push(new Uint8Array(this.#page, 0, this.#length));
    }
    this.#page = new ArrayBuffer();
    this.#length = 0;
  }
}

/** Keeps a memory page for another body; if enough are kept, frees the page without waiting for the garbage collector. */
function freePage({ buffer }: Bytes): void {
  const pages = freePages.get(buffer.byteLength)!;
  if (pages.length < MAX_FREE_PAGES) pages.push(buffer);
  else buffer.transfer(0);
}
