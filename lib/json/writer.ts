/**
 * Writes JSON text as UTF-8 bytes. Building the result as a string first would copy it
 * twice more: to escape and to encode it.
 *
 * @module
 */

const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;

/**
 * Longest text that is escaped by a loop, in UTF-16 code units; built-in
 * functions are faster for longer ones.
 */
const MAX_LOOP_LENGTH = 256;

/** Longest indentation that is written by a loop, in spaces. */
const MAX_LOOP_SPACES = 32;

/** Default size of the buffer, in bytes. */
export const PAGE_BYTES = 64 * 1024;

/** Most bytes by which the buffer grows at a time, unless a call needs more. */
const MAX_GROWTH_BYTES = 2 * 1024 * 1024;

/** Bytes that are written between two pauses. */
const BYTES_PER_PAUSE = 48 * 1024;

const utf8Encoder = new TextEncoder();

/** A buffer for the next writer, since allocating one takes longer than writing a small result. */
let sparePage: Uint8Array<ArrayBuffer> | undefined;

/** Collects the UTF-8 bytes of a JSON text in a buffer that grows. */
export class JsonWriter implements Disposable {
  #buffer = sparePage ?? new Uint8Array(PAGE_BYTES);
  #length = 0;
  #pauseLength = BYTES_PER_PAUSE;
  readonly #expectedBytes: number;

  /** @param expectedBytes Size to which the buffer grows at once if it has to grow. */
  constructor(expectedBytes = 0) {
    sparePage = undefined;
    this.#expectedBytes = expectedBytes;
  }

  /** The bytes written so far. The next call may overwrite them. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Whether 48 KiB have been written since the last pause. */
  get isFull(): boolean {
    return this.#length >= this.#pauseLength;
  }

  /** Ends a pause: the writer is not full until 48 KiB more are written. */
  resume(): void {
    this.#pauseLength = this.#length + BYTES_PER_PAUSE;
  }

  /** Returns the bytes written so far, which later calls do not change, and empties the writer. */
  take(): Uint8Array<ArrayBuffer> {
    let bytes: Uint8Array<ArrayBuffer>;
    if (this.#buffer.length === PAGE_BYTES) bytes = this.bytes.slice();
    else {
      // A copy frees the unused end of the buffer.
      const { buffer } = this.#buffer;
      bytes = 8 * this.#length < 7 * buffer.byteLength
        ? new Uint8Array(buffer.transfer(this.#length))
        : this.bytes;
      this.#buffer = new Uint8Array(PAGE_BYTES);
    }
    this.#length = 0;
    this.#pauseLength = BYTES_PER_PAUSE;
    return bytes;
  }

  /** Keeps the page for the next writer. This writer must not be used any more. */
  [Symbol.dispose](): void {
    if (this.#buffer.length === PAGE_BYTES) sparePage = this.#buffer;
    else this.#buffer.buffer.transfer(0);
  }

  /** Writes a text without escaping it. */
  write(text: string): void {
    // In UTF-8 a code unit has at most three bytes.
    this.#reserve(3 * text.length);
    const free = this.#buffer.subarray(this.#length);
    this.#length += utf8Encoder.encodeInto(text, free).written;
  }

  /**
   * Writes the code units of a text from start to end as the content of a JSON
   * string (RFC 8259, section 7), escaped where necessary, without quotes. Start
   * and end must not divide a surrogate pair.
   */
  writeEscaped(text: string, start: number, end: number): void {
    if (end - start > MAX_LOOP_LENGTH) {
      return this.#writeByRuntime(text, start, end);
    }
    this.#reserve(3 * (end - start));
    const buffer = this.#buffer;
    let length = this.#length;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code < 0x80) {
        if (code < SPACE) return this.#writeByRuntime(text, start, end);
        if (code === DOUBLE_QUOTE || code === BACKSLASH) {
          buffer[length++] = BACKSLASH;
        }
        buffer[length++] = code;
      } else if (code < 0x800) {
        buffer[length++] = 0xc0 | code >> 6;
        buffer[length++] = 0x80 | code & 0x3f;
      } else if (code < 0xd800 || code > 0xdfff) {
        buffer[length++] = 0xe0 | code >> 12;
        buffer[length++] = 0x80 | code >> 6 & 0x3f;
        buffer[length++] = 0x80 | code & 0x3f;
      } else return this.#writeByRuntime(text, start, end);
    }
    this.#length = length;
  }

  /** Writes a space. */
  writeSpace(): void {
    this.#reserve(1);
    this.#buffer[this.#length] = SPACE;
    this.#length += 1;
  }

  /** Writes an escaped line feed and the spaces of an indentation. */
  writeLineBreak(spaces: number): void {
    this.#reserve(2 + spaces);
    const buffer = this.#buffer;
    let length = this.#length;
    buffer[length++] = BACKSLASH;
    buffer[length++] = LOWER_N;
    const end = length + spaces;
    if (spaces > MAX_LOOP_SPACES) buffer.fill(SPACE, length, end);
    else while (length < end) buffer[length++] = SPACE;
    this.#length = end;
  }

  #writeByRuntime(text: string, start: number, end: number): void {
    this.write(JSON.stringify(text.slice(start, end)).slice(1, -1));
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const { length } = this.#buffer;
    const size = Math.max(
      needed,
      length + Math.min(length, MAX_GROWTH_BYTES),
      this.#expectedBytes,
    );
    // Frees the old buffer at once, unlike a copy.
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(size));
  }
}
