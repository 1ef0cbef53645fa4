/**
 * `POST /api/hash`: digest of a string's UTF-8 bytes (FIPS 180-4).
 *
 * ```
 * {"algorithm": "sha1", "input": "abc"}
 *   →  {"result": "a9993e364706816aba3e25717850c26c9cd0d89d", "algorithm": "sha1"}
 * ```
 *
 * @module
 */

import { freeBuffer } from "../lib/buffer.ts";
import { HttpError } from "../lib/http/http_error.ts";
import { readChoice, readUtf8 } from "../lib/http/fields.ts";
import { readFields } from "../lib/http/json_body.ts";
import type { Context } from "../lib/http/router.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;

/** The names of the algorithms in Web Crypto. */
const WEB_CRYPTO_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

const utf8Encoder = new TextEncoder();

/** Answers with the digest in lower-case hexadecimal, or 501 for `md5`. */
export async function hash(
  _request: Request,
  context: Context,
): Promise<object> {
  const { algorithm, input } = readInput(context);
  const digest = await crypto.subtle.digest(WEB_CRYPTO_NAMES[algorithm], input);
  freeBuffer(input.buffer);
  return { result: new Uint8Array(digest).toHex(), algorithm };
}

/** Not a part of `hash()`, which would keep the text in memory until the digest is made. */
function readInput(context: Context) {
  const fields = readFields(context, ["algorithm", "input"]);
  if (fields["algorithm"] === "md5") {
    throw new HttpError(
      501,
      '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
    );
  }
  const algorithm = readChoice(fields, "algorithm", { choices: ALGORITHMS });
  const input = utf8Encoder.encode(readUtf8(fields, "input"));
  return { algorithm, input };
}
