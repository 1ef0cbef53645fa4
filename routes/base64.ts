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
import { HttpError } from "../lib/http_error.ts";
import { type Fields, readChoice, readString } from "../lib/http/fields.ts";
import { readJsonObject } from "../lib/http/json_body.ts";
import { sendJsonText } from "../lib/http/json_response.ts";
import type { Context } from "../lib/http/router.ts";
import { decodeUtf8 } from "../lib/http/utf8.ts";
import { takeScratch } from "../lib/scratch.ts";

const ACTIONS = ["encode", "decode"] as const;
const VARIANTS = ["standard", "url"] as const;

const NOT_UTF8_MESSAGE =
  '"input" must encode UTF-8 text, got bytes that are not UTF-8 text';

/**
 * Answers with the encoded or decoded text. Decoding accepts both variants, `standard`
 * and `url`.
 */
export function base64(_request: Request, context: Context): Promise<Response> {
  return readJsonObject(context, ["action", "input", "variant"], answer);
}

async function answer(
  fields: Fields<"action" | "input" | "variant">,
  context: Context,
): Promise<Response> {
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
    return await sendJsonText(JSON.stringify({ result }), context);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new HttpError(400, `"input" ${error.message}`);
  }
}

function decodeText(input: string): string {
  const bytes = decodeForgivingBase64(input, takeScratch());
  return decodeUtf8(bytes, NOT_UTF8_MESSAGE);
}
