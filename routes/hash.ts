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

import { HttpError } from "../lib/http_error.ts";
import { type Fields, readChoice, readUtf8 } from "../lib/http/fields.ts";
import { readJsonObject } from "../lib/http/json_body.ts";
import type { Context } from "../lib/http/router.ts";
import { encodeUtf8 } from "../lib/scratch.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;
type Algorithm = typeof ALGORITHMS[number];

/** The names of the algorithms in Web Crypto. */
const WEB_CRYPTO_NAMES = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
} as const;

/** Answers with the digest in lower-case hexadecimal, or 501 for `md5`. */
export function hash(_request: Request, context: Context): Promise<Response> {
  return readJsonObject(context, ["algorithm", "input"], answer);
}

function answer(fields: Fields<"algorithm" | "input">): Promise<Response> {
  if (fields["algorithm"] === "md5") {
    throw new HttpError(
      501,
      '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
    );
  }
  const algorithm = readChoice(fields, "algorithm", { choices: ALGORITHMS });
  const digest = crypto.subtle.digest(
    WEB_CRYPTO_NAMES[algorithm],
    // `encodeUtf8()` returns a buffer that is used again, by the next request for example.
    // This is harmless, because `digest()` copies the bytes before it returns.
    encodeUtf8(readUtf8(fields, "input")),
  );
  return sendDigest(digest, algorithm);
}

/**
 * Answers when the digest is ready. This function is not given the input: it would keep a
 * large text in memory until then.
 */
async function sendDigest(
  digest: Promise<ArrayBuffer>,
  algorithm: Algorithm,
): Promise<Response> {
  const result = new Uint8Array(await digest).toHex();
  return Response.json({ result, algorithm });
}
