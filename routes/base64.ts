/**
 * `POST /api/base64`: encodes text as Base64, or decodes it (RFC 4648).
 *
 * ```
 * {"action": "encode", "input": "héllo"}  →  {"result": "aMOpbGxv"}
 * ```
 *
 * @module
 */

import {
  Base64Error,
  decodeForgivingBase64,
  encodeBase64,
} from "../lib/base64.ts";
import { freeBuffer } from "../lib/buffer.ts";
import { HttpError } from "../lib/http/http_error.ts";
import { readChoice, readString } from "../lib/http/fields.ts";
import { readFields } from "../lib/http/json_body.ts";
import type { Context } from "../lib/http/router.ts";
import { decodeUtf8 } from "../lib/http/utf8.ts";

const ACTIONS = ["encode", "decode"] as const;
const VARIANTS = ["standard", "url"] as const;

const NOT_UTF8_MESSAGE =
  '"input" must encode UTF-8 text, got bytes that are not UTF-8 text';

/**
 * Answers with the encoded or decoded text. Decoding accepts both variants, `standard`
 * and `url`.
 */
export function base64(_request: Request, context: Context): object {
  const fields = readFields(context, ["action", "input", "variant"]);
  const action = readChoice(fields, "action", { choices: ACTIONS });
  const variant = readChoice(fields, "variant", {
    choices: VARIANTS,
    fallback: "standard",
  });
  const input = readString(fields, "input");
  try {
    const result = action === "encode"
      ? encodeBase64(input, variant)
      : decodeText(input);
    return { result };
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new HttpError(400, `"input" ${error.message}`);
  }
}

function decodeText(input: string): string {
  const bytes = decodeForgivingBase64(input);
  const text = decodeUtf8(bytes, NOT_UTF8_MESSAGE);
  freeBuffer(bytes.buffer);
  return text;
}
