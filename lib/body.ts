/** Bounded reading of request bodies. */

import { HttpError } from "./errors.ts";

/** What a request body may cost. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /** Time for a body to arrive whole, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/** Reads the whole body of a request, empty where there is none. */
export type BodyReader = (request: Request) => Promise<Uint8Array>;

/**
 * Makes a reader that counts a body's bytes while they stream in. It trusts
 * `Content-Length` only to refuse early.
 *
 * The reader throws `HttpError` 413 for a body above the limit, 408 for one
 * that has not arrived whole in time, 400 for one that breaks off.
 */
export function createBodyReader(limits: BodyLimits): BodyReader {
  const { maxBodyBytes, bodyTimeoutMs } = limits;

  return async function readBody(request) {
    const claimedBytes = Number(request.headers.get("content-length"));
    if (claimedBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    if (request.body === null) return new Uint8Array();

    const reader = request.body.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reader.cancel();
    }, bodyTimeoutMs);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.byteLength;
        if (size > maxBodyBytes) {
          // Lets the rest drain, so that the connection stays usable.
          reader.cancel();
          throw tooLarge(maxBodyBytes);
        }
        chunks.push(value);
      }
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw new HttpError(400, "the body broke off before its end");
    } finally {
      clearTimeout(timer);
    }
    if (isLate) {
      throw new HttpError(
        408,
        `the body must arrive within ${bodyTimeoutMs} milliseconds`,
      );
    }
    return concatenate(chunks, size);
  };
}

function tooLarge(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
