/**
 * Buffers of fixed sizes for request bodies that are being received. The buffers are used
 * again for later bodies.
 *
 * @module
 */

import { freeBuffer } from "../buffer.ts";

/** Size of each buffer of a body after the first, in bytes. */
export const PAGE_BYTES = 64 * 1024;
/**
 * Size of the first buffer of a body, in bytes. It is smaller than the others, to take less
 * memory for a client that announces a large body and sends nothing.
 */
const FIRST_PAGE_BYTES = 32 * 1024;

/**
 * Smallest free part of a buffer into which a chunk is read, in bytes; if less is free, a
 * new buffer is used. In Deno 2.9.6, a read into a buffer of a few bytes may never end.
 */
const MIN_FREE_BYTES = 4 * 1024;

/**
 * Largest number of unused buffers of each size that are kept for later bodies. The
 * allocation of a new buffer takes a tenth of a request's time (Deno 2.9.6).
 */
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
  /** The buffer that `join()` has allocated; `undefined` if it has returned a page instead. */
  #joined: ArrayBuffer | undefined;

  /** Size of the new buffer that the next chunk needs, in bytes; 0 if the current buffer has space for it. */
  get neededBytes(): number {
    if (this.#page.byteLength - this.#length >= MIN_FREE_BYTES) return 0;
    return this.byteLength === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
  }

  /**
   * Returns the free part of the current buffer, or a new buffer if too little is free.
   * During a read into it, the runtime detaches the buffer; `keep()` takes it back.
   */
  getFree(): Bytes {
    const size = this.neededBytes;
    if (size > 0) {
      this.#keepPage();
      this.#page = freePages.get(size)!.pop() ?? new ArrayBuffer(size);
    }
    return new Uint8Array(this.#page, this.#length);
  }

  /** Stores the buffer that `getFree()` has returned, after a chunk was written to it. */
  keep({ buffer, byteOffset, byteLength }: Bytes): void {
    this.#page = buffer;
    this.#length = this.#isDiscarded ? 0 : byteOffset + byteLength;
    this.byteLength += byteLength;
  }

  /**
   * Copies a chunk to the buffers, if the reader has returned the chunk in a buffer of its
   * own.
   */
  copy(chunk: Bytes): void {
    for (let start = 0; start < chunk.byteLength;) {
      const free = this.getFree();
      const part = chunk.subarray(start, start + free.byteLength);
      free.set(part);
      this.keep(free.subarray(0, part.byteLength));
      start += part.byteLength;
    }
  }

  /**
   * Frees the buffers. From now on, each chunk overwrites the one before, so that the rest
   * of the body takes no more memory.
   */
  discard(): void {
    this.free();
    this.#isDiscarded = true;
  }

  /**
   * Returns all bytes in one array. The array must not be used after `free()`, since it may
   * be one of the buffers.
   */
  join(): Bytes {
    this.#keepPage();
    if (this.#full.length === 1) return this.#full[0]!;
    const buffer = new ArrayBuffer(this.byteLength);
    const bytes = new Uint8Array(buffer);
    let length = 0;
    for (const part of this.#full) {
      bytes.set(part, length);
      length += part.byteLength;
    }
    this.free();
    this.#joined = buffer;
    return bytes;
  }

  /** Makes the buffers available to other bodies. */
  free(): void {
    this.#keepPage();
    this.#full.forEach(freePage);
    this.#full = [];
    if (this.#joined !== undefined) freeBuffer(this.#joined);
    this.#joined = undefined;
  }

  #keepPage(): void {
    // While the runtime reads a chunk into the buffer, the buffer is detached and cannot be
    // kept.
    if (!this.#page.detached && this.#page.byteLength > 0) {
      this.#full.push(new Uint8Array(this.#page, 0, this.#length));
    }
    this.#page = new ArrayBuffer();
    this.#length = 0;
  }
}

/**
 * Keeps an unused buffer for another body. If enough are kept already, frees its memory.
 */
function freePage({ buffer }: Bytes): void {
  const pages = freePages.get(buffer.byteLength)!;
  if (pages.length < MAX_FREE_PAGES) pages.push(buffer);
  else freeBuffer(buffer);
}
