/** Decodes UTF-8 bytes that clients send. */

import { HttpError } from "../http_error.ts";
import { decodeUtf8 as decode } from "../json/utf8.ts";

/**
 * Decodes UTF-8. A leading byte order mark is kept.
 *
 * @throws {HttpError} 400 with the given message if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array, message: string): string {
  const text = decode(bytes);
  if (text === undefined) throw new HttpError(400, message);
  return text;
}
