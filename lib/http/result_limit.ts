import { Buffer } from "node:buffer";
import type { Bytes } from "../buffer.ts";

const MAX_RESULT_BYTES = 8 * 1024 * 1024;
const BASE_BYTES = 512 * 1024;
const BYTES_PER_INPUT_BYTE = 24;

/**
 * Returns the maximum size of formatted JSON for an input, in bytes. The limit depends on the
 * size of the input, because 4 KB of brackets could otherwise become 8 MiB.
 */
export function getMaxResultBytes(input: string | Bytes): number {
  const inputBytes = Buffer.byteLength(input);
  const bytes = BASE_BYTES + BYTES_PER_INPUT_BYTE * inputBytes;
  return Math.min(MAX_RESULT_BYTES, bytes);
}
