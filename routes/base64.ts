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
import { readChoice, readString } from "../lib/http/fields.ts";
import { decodeUtf8, readJsonObject } from "../lib/http/json_body.ts";
import type { Context } from "../lib/http/router.ts";
import {
  isSmall,
  sendJsonText,
  sendWritten,
  writeText,
  writeUtf8,
} from "../lib/http/json_response.ts";
import type { JsonWriter } from "../lib/json/writer.ts";
import { SMALL_BYTES } from "../lib/load/budget.ts";
import type { Work } from "../lib/work.ts";

const ACTIONS = ["encode", "decode"] as const;
const VARIANTS = ["standard", "url"] as const;

const NOT_UTF8_MESSAGE =
  '"input" must encode UTF-8 text, got bytes that are not UTF-8 text';

/** Answers with the encoded or decoded text. Decoding accepts both alphabets. */
export async function base64(
  _request: Request,
  context: Context,
): Promise<Response> {
  const fields = await readJsonObject(context);
  const action = readChoice(fields, "action", { choices: ACTIONS });
  const variant = readChoice(fields, "variant", {
    choices: VARIANTS,
    fallback: "standard",
  });
  const input = readString(fields, "input");
  try {
    return action === "encode"
      ? sendEncoded(encodeBase64(input, variant), context)
      : sendDecoded(decodeForgivingBase64(input), context);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new HttpError(400, `"input" ${error.message}`);
  }
}

function sendEncoded(
  result: string,
  context: Context,
): Response | Promise<Response> {
  if (isSmall(result)) return sendJsonText(JSON.stringify({ result }), context);
  return sendWritten(context, {
    sourceBytes: 0,
    write: (output) => writeResult(writeText(result, output), output),
  });
}

function sendDecoded(
  bytes: Uint8Array<ArrayBuffer>,
  context: Context,
): Response | Promise<Response> {
  if (bytes.byteLength <= SMALL_BYTES) {
    const result = decodeUtf8(bytes, NOT_UTF8_MESSAGE);
    return sendJsonText(JSON.stringify({ result }), context);
  }
  return sendWritten(context, {
    sourceBytes: 0,
    write: (output) =>
      writeResult(writeUtf8(bytes, output, NOT_UTF8_MESSAGE), output),
  });
}

/** Writes the result of the work, which writes to the same output, as the endpoint's JSON object. */
function* writeResult(work: Work<void>, output: JsonWriter): Work<void> {
  output.write('{"result":"');
  yield* work;
  output.write('"}');
}
