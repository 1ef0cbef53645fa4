/** The memory of a body that is received: pages, which are used again. */

/** Size of a page, in bytes; the first one is smaller, for clients that announce much and send nothing. */
export const PAGE_BYTES = 64 * 1024;
const FIRST_PAGE_BYTES = 32 * 1024;

/** Free bytes of a page below which the next one is used. In Deno 2.9.6 a read into a few bytes may never end. */
const MIN_FREE_BYTES = 4 * 1024;

/** Most free pages of a size that are kept, since new ones take a tenth of a request's time. */
const MAX_FREE_PAGES = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** Free pages by their size. */
const freePages = new Map<number, ArrayBuffer[]>([
  [FIRST_PAGE_BYTES, []],
  [PAGE_BYTES, []],
]);

/** Pages that chunks are read into, in their order. */
export class Pages {
  /** Bytes kept so far. */
  byteLength = 0;
  /** Pages that are full. */
  #full: Bytes[] = [];
  #page = new ArrayBuffer();
  /** Bytes on the page that is being filled. */
  #length = 0;
  #isDiscarded = false;

  /** Memory of the page that the next chunk needs, in bytes; 0 if it needs none. */
  get neededBytes(): number {
    if (this.#page.byteLength - this.#length >= MIN_FREE_BYTES) return 0;
    return this.byteLength === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
  }

  /** Returns the free part of a page. A read detaches it until `keep()` gives it back. */
  getFree(): Bytes {
    const size = this.neededBytes;
    if (size > 0) {
      this.#keepPage();
      this.#page = freePages.get(size)!.pop() ?? new ArrayBuffer(size);
    }
    return new Uint8Array(this.#page, this.#length);
  }

  /** Keeps a chunk that was read into the free part of a page. */
  keep({ buffer, byteOffset, byteLength }: Bytes): void {
    this.#page = buffer;
    this.#length = this.#isDiscarded ? 0 : byteOffset + byteLength;
    this.byteLength += byteLength;
  }

  /** Keeps a chunk that has a buffer of its own, which is only read. */
  copy(chunk: Bytes): void {
    for (let start = 0; start < chunk.byteLength;) {
      const free = this.getFree();
      const part = chunk.subarray(start, start + free.byteLength);
      free.set(part);
      this.keep(free.subarray(0, part.byteLength));
      start += part.byteLength;
    }
  }

  /** Keeps nothing from here on. */
  discard(): void {
    this.free();
    this.#isDiscarded = true;
  }

  /** Returns all bytes. They may be on a page, which `free()` gives to others. */
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

  /** Gives the pages to other bodies. */
  free(): void {
    this.#keepPage();
    this.#full.forEach(freePage);
    this.#full = [];
  }

  #keepPage(): void {
    // A read that has not ended still has the page.
    if (!this.#page.detached && this.#page.byteLength > 0) {
      this.#full.push(new Uint8Array(this.#page, 0, this.#length));
    }
    this.#page = new ArrayBuffer();
    this.#length = 0;
  }
}

/** Keeps a page for another body, or frees it, as the garbage collector would do later. */
function freePage({ buffer }: Bytes): void {
  const pages = freePages.get(buffer.byteLength)!;
  if (pages.length < MAX_FREE_PAGES) pages.push(buffer);
  else buffer.transfer(0);
}
