/** Decodes UTF-8 bytes that clients send. */

import { isUtf8 } from "node:buffer";
import { HttpError } from "./http_error.ts";

const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8. A leading byte order mark is kept.
 *
 * @throws {HttpError} 400 with the given message if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array, message: string): string {
  if (!isUtf8(bytes)) throw new HttpError(400, message);
  return utf8Decoder.decode(bytes);
}
