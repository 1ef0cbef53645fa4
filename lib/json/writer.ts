/**
 * Writes JSON text as UTF-8 bytes. Building the result as a string first would copy it
 * twice more: to escape and to encode it.
 *
 * @module
 */

import {
  isContinuation,
  readCodePoint,
  resize,
  type TextBytes,
} from "./utf8.ts";

const SPACE = 0x20;
const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;
const LOWER_U = 0x75;

/** First byte of a surrogate; the second one is smaller in other characters. */
const SURROGATE_BYTE = 0xed;
const MIN_SECOND_SURROGATE_BYTE = 0xa0;

/** For each byte that is escaped in a JSON string, the character behind the backslash; else 0. */
const ESCAPES = createEscapes();

const HEX_DIGITS = "0123456789abcdef";

/** Most bytes that are escaped at a time, and the longest escape of a byte. */
const MAX_PART_BYTES = 1024;
const MAX_ESCAPE_BYTES = "\\u0000".length;

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
        ? new Uint8Array(resize(buffer, this.#length))
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
    else resize(this.#buffer.buffer, 0);
  }

  /** Writes a text without escaping it. */
  write(text: string): void {
    while (text !== "") {
      const free = this.#buffer.subarray(this.#length);
      const { read, written } = utf8Encoder.encodeInto(text, free);
      this.#length += written;
      text = text.slice(read);
      // A character has at most four bytes, which are not divided.
      if (text !== "") this.#reserve(Math.max(text.length, 4));
    }
  }

  /**
   * Writes the bytes of a text from start to end as the content of a JSON string
   * (RFC 8259, section 7), escaped where necessary, without quotes. Start and end must
   * not divide a surrogate in the form of `encodeText()`.
   */
  writeEscaped(text: TextBytes, start: number, end: number): void {
    this.#length = this.#escape(text, start, end, 0);
  }

  /** Like `writeEscaped()`, and writes a space behind it. */
  writeWithSpace(text: TextBytes, start: number, end: number): void {
    const length = this.#escape(text, start, end, 1);
    this.#buffer[length] = SPACE;
    this.#length = length + 1;
  }

  /** Like `writeEscaped()`, and writes an escaped line feed and spaces behind it. */
  writeWithLineBreak(
    text: TextBytes,
    start: number,
    end: number,
    spaces: number,
  ): void {
    let length = this.#escape(text, start, end, 2 + spaces);
    const buffer = this.#buffer;
    buffer[length++] = BACKSLASH;
    buffer[length++] = LOWER_N;
    const lineStart = length + spaces;
    if (spaces > MAX_LOOP_SPACES) buffer.fill(SPACE, length, lineStart);
    else while (length < lineStart) buffer[length++] = SPACE;
    this.#length = lineStart;
  }

  /**
   * Writes escaped bytes, and reserves a number of bytes behind them. Returns the
   * length that the caller sets.
   */
  #escape(text: TextBytes, start: number, end: number, count: number): number {
    while (end - start > MAX_PART_BYTES) {
      let middle = start + MAX_PART_BYTES;
      while (isContinuation(text[middle]!)) middle += 1;
      this.#length = this.#escapePart(text, start, middle, 0);
      start = middle;
    }
    return this.#escapePart(text, start, end, count);
  }

  #escapePart(
    text: TextBytes,
    start: number,
    end: number,
    count: number,
  ): number {
    this.#reserve(MAX_ESCAPE_BYTES * (end - start) + count);
    const buffer = this.#buffer;
    let length = this.#length;
    for (let at = start; at < end; at += 1) {
      const byte = text[at]!;
      const letter = ESCAPES[byte]!;
      if (letter === 0) buffer[length++] = byte;
      else if (letter !== LOWER_U) {
        buffer[length++] = BACKSLASH;
        buffer[length++] = letter;
      } else if (
        byte === SURROGATE_BYTE && text[at + 1]! < MIN_SECOND_SURROGATE_BYTE
      ) buffer[length++] = byte;
      else {
        const code = readCodePoint(text, at)!;
        buffer[length++] = BACKSLASH;
        buffer[length++] = LOWER_U;
        for (let shift = 12; shift >= 0; shift -= 4) {
          buffer[length++] = HEX_DIGITS.charCodeAt(code >> shift & 0xf);
        }
        if (byte === SURROGATE_BYTE) at += 2;
      }
    }
    return length;
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
    this.#buffer = new Uint8Array(resize(this.#buffer.buffer, size));
  }
}

function createEscapes(): Uint8Array {
  const escapes = new Uint8Array(256);
  for (let code = 0; code < 0x80; code += 1) {
    const [escape, letter] = JSON.stringify(String.fromCharCode(code)).slice(1);
    if (escape === "\\") escapes[code] = letter!.charCodeAt(0);
  }
  // Surrogates are escaped like control characters.
  escapes[SURROGATE_BYTE] = LOWER_U;
  return escapes;
}
