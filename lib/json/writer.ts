/**
 * Writes JSON texts directly as UTF-8 bytes. If they were built as JavaScript strings,
 * they would be copied twice more: when they are escaped, and when they are encoded.
 *
 * @module
 */

import { freeBuffer } from "../buffer.ts";
import { isContinuation, readCodePoint, type TextBytes } from "./utf8.ts";

const SPACE = 0x20;
const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;
const LOWER_U = 0x75;

/**
 * First byte of every lone surrogate, as encoded by `encodeText()`. Some other characters
 * have the same first byte.
 */
const SURROGATE_BYTE = 0xed;

/**
 * Smallest second byte of a lone surrogate. Other characters with the same first byte have
 * a smaller second byte.
 */
const MIN_SECOND_SURROGATE_BYTE = 0xa0;

/**
 * Table with an entry for each value of a byte: the code of the character after the
 * backslash in its JSON escape, such as `n` for a line feed; 0 if the byte is not escaped.
 */
const ESCAPES = createEscapes();

const HEX_DIGITS = "0123456789abcdef";

/** Length of the longest escape sequence, in bytes. */
const MAX_ESCAPE_BYTES = "\\u0000".length;

/** Length of an escaped line feed, in bytes. */
const LINE_BREAK_BYTES = "\\n".length;

/**
 * Up to this number, spaces after a line break are written one by one; further ones are
 * written by `fill()`.
 */
const MAX_LOOP_SPACES = 32;

/** Size of the buffers that a writer fills one after the other, in bytes. */
export const PAGE_BYTES = 64 * 1024;

/** Number of bytes after which `isFull` becomes true, so that the caller pauses. */
const BYTES_PER_PAUSE = 48 * 1024;

/**
 * If a buffer has fewer free bytes than this, a text that may not fit continues in the next
 * buffer.
 */
const MIN_FREE_BYTES = 512;

type Page = Uint8Array<ArrayBuffer>;

const utf8Encoder = new TextEncoder();

/**
 * A buffer that an earlier writer has left for the next one, since allocating a buffer
 * takes longer than writing a small result (Deno 2.9.6).
 */
let sparePage: Page | undefined;

/**
 * Collects the UTF-8 bytes of a JSON text in buffers of 64 KiB. A single buffer would have
 * to be copied to larger and larger ones, which leaves gaps of different sizes in the
 * memory.
 */
export class JsonWriter implements Disposable {
  /** The buffers before the current one. */
  #fullPages: Page[] = [];
  #fullBytes = 0;
  #page = sparePage ?? new Uint8Array(PAGE_BYTES);
  /** Number of bytes written to the current buffer. */
  #length = 0;
  #pauseLength = BYTES_PER_PAUSE;

  constructor() {
    sparePage = undefined;
  }

  /** Number of bytes written so far. */
  get byteLength(): number {
    return this.#fullBytes + this.#length;
  }

  /** Size of all buffers of this writer, in bytes. */
  get capacity(): number {
    return (this.#fullPages.length + 1) * PAGE_BYTES;
  }

  /** The bytes written to the current buffer; later calls may overwrite them. */
  get lastPage(): Page {
    return this.#page.subarray(0, this.#length);
  }

  /** Whether 48 KiB have been written since the caller last paused for other requests. */
  get isFull(): boolean {
    return this.byteLength >= this.#pauseLength;
  }

  /**
   * Sets `isFull` to false until 48 KiB more are written. Must be called after each pause.
   */
  resume(): void {
    this.#pauseLength = this.byteLength + BYTES_PER_PAUSE;
  }

  /** Returns a copy of the bytes written so far. */
  join(): Page {
    const bytes = new Uint8Array(this.byteLength);
    let at = 0;
    for (const page of [...this.#fullPages, this.lastPage]) {
      bytes.set(page, at);
      at += page.byteLength;
    }
    return bytes;
  }

  /** Returns the bytes written so far, in parts, and empties the writer. */
  take(): Page[] {
    const pages = this.#fullPages;
    pages.push(this.lastPage.slice());
    this.#fullPages = [];
    this.#fullBytes = 0;
    this.#length = 0;
    this.#pauseLength = BYTES_PER_PAUSE;
    return pages;
  }

  /**
   * Frees the buffers; one may be kept for the next writer. This writer must not be used
   * any more.
   */
  [Symbol.dispose](): void {
    if (sparePage === undefined) sparePage = this.#page;
    else freeBuffer(this.#page.buffer);
    for (const { buffer } of this.#fullPages) freeBuffer(buffer);
  }

  /** Writes a text as it is, without escaping it. */
  write(text: string): void {
    for (;;) {
      const free = this.#page.subarray(this.#length);
      const { read, written } = utf8Encoder.encodeInto(text, free);
      this.#length += written;
      if (read === text.length) return;
      text = text.slice(read);
      this.#startPage();
    }
  }

  /**
   * Writes a part of a text as the content of a JSON string (RFC 8259, section 7): escaped
   * where necessary, without quotes. Neither `start` nor `end` may lie between the three
   * bytes of a lone surrogate (see `encodeText()`).
   */
  writeEscaped(text: TextBytes, start: number, end: number): void {
    this.#length = this.#escape(text, start, end, 0);
  }

  /** Like `writeEscaped()`, and writes a space after it. */
  writeWithSpace(text: TextBytes, start: number, end: number): void {
    const length = this.#escape(text, start, end, 1);
    this.#page[length] = SPACE;
    this.#length = length + 1;
  }

  /** Like `writeEscaped()`, and writes an escaped line feed and spaces after it. */
  writeWithLineBreak(
    text: TextBytes,
    start: number,
    end: number,
    spaces: number,
  ): void {
    const count = Math.min(spaces, MAX_LOOP_SPACES);
    let length = this.#escape(text, start, end, LINE_BREAK_BYTES + count);
    const page = this.#page;
    page[length++] = BACKSLASH;
    page[length++] = LOWER_N;
    const loopEnd = length + count;
    while (length < loopEnd) page[length++] = SPACE;
    this.#length = loopEnd;
    if (spaces > count) this.#writeSpaces(spaces - count);
  }

  #writeSpaces(count: number): void {
    for (;;) {
      const end = this.#length + count;
      this.#page.fill(SPACE, this.#length, end);
      this.#length = Math.min(end, PAGE_BYTES);
      count = end - this.#length;
      if (count === 0) return;
      this.#startPage();
    }
  }

  /**
   * Writes a part of a text escaped, in new buffers when necessary. Leaves at least `count`
   * bytes free in the last buffer. Returns the number of used bytes in that buffer, which
   * the caller must assign to `#length`.
   */
  #escape(text: TextBytes, start: number, end: number, count: number): number {
    for (;;) {
      const free = PAGE_BYTES - this.#length;
      if (MAX_ESCAPE_BYTES * (end - start) + count <= free) break;
      if (free < MIN_FREE_BYTES) this.#startPage();
      else {
        let middle = Math.min(start + Math.floor(free / MAX_ESCAPE_BYTES), end);
        while (isContinuation(text[middle]!)) middle -= 1;
        this.#length = this.#escapePart(text, start, middle);
        start = middle;
      }
    }
    return this.#escapePart(text, start, end);
  }

  /**
   * Writes a part of a text escaped to the current buffer, which must have space for it.
   * Returns the number of bytes in the buffer afterwards.
   */
  #escapePart(text: TextBytes, start: number, end: number): number {
    const page = this.#page;
    let length = this.#length;
    for (let at = start; at < end; at += 1) {
      const byte = text[at]!;
      const letter = ESCAPES[byte]!;
      page[length] = byte;
      length += 1;
      if (letter === 0) continue;
      if (letter !== LOWER_U) {
        page[length - 1] = BACKSLASH;
        page[length] = letter;
        length += 1;
      } else if (
        byte !== SURROGATE_BYTE || text[at + 1]! >= MIN_SECOND_SURROGATE_BYTE
      ) {
        length = escapeCodePoint(page, length - 1, readCodePoint(text, at)!);
        if (byte === SURROGATE_BYTE) at += 2;
      }
    }
    return length;
  }

  #startPage(): void {
    this.#fullPages.push(this.lastPage);
    this.#fullBytes += this.#length;
    this.#page = new Uint8Array(PAGE_BYTES);
    this.#length = 0;
  }
}

function escapeCodePoint(page: Page, length: number, code: number): number {
  page[length++] = BACKSLASH;
  page[length++] = LOWER_U;
  for (let shift = 12; shift >= 0; shift -= 4) {
    page[length++] = HEX_DIGITS.charCodeAt(code >> shift & 0xf);
  }
  return length;
}

function createEscapes(): Uint8Array {
  const escapes = new Uint8Array(256);
  for (let code = 0; code < 0x80; code += 1) {
    const [escape, letter] = JSON.stringify(String.fromCharCode(code)).slice(1);
    if (escape === "\\") escapes[code] = letter!.charCodeAt(0);
  }
  // Lone surrogates are escaped, too, since UTF-8 cannot represent them.
  escapes[SURROGATE_BYTE] = LOWER_U;
  return escapes;
}
